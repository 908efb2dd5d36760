/** Where readings take their time from, so that a test plays a day without waiting for it. */
export interface Timing {
  /** Epoch milliseconds, for what people read. */
  now(): number;
  /** Milliseconds of a clock that never jumps, for ages and durations. */
  monotonic(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Runs the task once in `ms`, or up to a beat later. Returns what cancels it. */
  after(ms: number, task: () => void): () => void;
}

/** Milliseconds. */
const beatMs = 50;

/**
 * How long to wait in fact, in milliseconds: until the next beat of a clock that all timers share. What is due
 * within one beat runs in one turn of the event loop, and its answers come in a few: a thousand devices then cost
 * about half of what as many wake-ups of the process do. What is due sooner than a beat does not wait for it.
 * @param now of the monotonic clock
 */
export function untilBeat(ms: number, now: number): number {
  return ms < beatMs ? ms : Math.ceil((now + ms) / beatMs) * beatMs - now;
}

export const realTiming: Timing = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  after(ms, task) {
    const timer = setTimeout(task, untilBeat(ms, performance.now()));
    return () => clearTimeout(timer);
  },
};
