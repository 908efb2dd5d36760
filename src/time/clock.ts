import { maxTimerMs } from './deadline';

/**
 * A source of time and random numbers. Tests replace the clock, so that they can simulate a day in a moment.
 */
export interface Clock {
  /** Returns the milliseconds since 1970, for times that people read. */
  now(): number;
  /** Returns milliseconds of a clock that never jumps, to measure ages and durations. */
  monotonic(): number;
  /** Returns a random number from 0 (included) to 1 (excluded). */
  random(): number;
  /** Runs the task once, after `ms` milliseconds. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void;
}

/** The clock of this machine, whose timers keep the process alive. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock whose timers do not keep the process alive. */
export const backgroundClock: Clock = {
  ...realClock,
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Interval between two beats of `beatClock`, in milliseconds. */
const beatMs = 50;

/**
 * Returns the delay until the first beat that is at least `ms` milliseconds away; a delay shorter than a beat
 * stays unchanged. Timers that fire together save wake-ups: a thousand devices cost about half. The delay is at
 * most `maxTimerMs`.
 * @param now current time on the monotonic clock
 */
export function untilBeat(ms: number, now: number): number {
  return ms < beatMs ? ms : Math.min(Math.ceil((now + ms) / beatMs) * beatMs - now, maxTimerMs);
}

/** A clock that delays each timer to the next beat, so that many timers fire together. */
export const beatClock: Clock = {
  ...realClock,
  after: (ms, task) => realClock.after(untilBeat(ms, performance.now()), task),
};
