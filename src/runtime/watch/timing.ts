/** Where readings take their time from, so that a test plays a day without waiting for it. */
export interface Timing {
  /** Epoch milliseconds, for what people read. */
  now(): number;
  /** Milliseconds of a clock that never jumps, for ages and durations. */
  monotonic(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Runs the task once in `ms`. Returns what cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const realTiming: Timing = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
