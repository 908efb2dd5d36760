/** A source of time and chance that tests replace, so that a test can simulate a day in a moment. */
export interface Clock {
  /** Returns epoch milliseconds, for times that people read. */
  now(): number;
  /** Returns milliseconds of a clock that never jumps, for ages and durations. */
  monotonic(): number;
  /** Returns a random number from 0 up to 1. */
  random(): number;
  /** Runs the task once in `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void;
}

/** The clock of the process. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock whose timers do not keep the process from ending. */
export const backgroundClock: Clock = {
  ...realClock,
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Interval of the shared clock, in milliseconds. */
const beatMs = 50;

/**
 * Returns the delay until the first beat of a shared clock that is at least `ms` milliseconds away. Timers that are
 * due within one beat run in one turn of the event loop, and their answers arrive in a few turns: a thousand devices
 * then cost about half of a thousand separate wake-ups. A delay shorter than a beat stays as it is.
 * @param now of the monotonic clock
 */
export function untilBeat(ms: number, now: number): number {
  return ms < beatMs ? ms : Math.ceil((now + ms) / beatMs) * beatMs - now;
}

/** A clock whose timers are delayed to the next beat that all timers share. */
export const beatClock: Clock = {
  ...realClock,
  after: (ms, task) => realClock.after(untilBeat(ms, performance.now()), task),
};
