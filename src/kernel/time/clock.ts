import { maxTimerMs } from './deadline';

export interface Clock {
  /** Returns milliseconds since 1970. The value can jump when the system clock is set. */
  now(): number;
  /** Returns milliseconds on a clock that never jumps, for durations. The clock has no fixed start. */
  monotonic(): number;
  random(): number;
  /** Runs the task once, after `ms` milliseconds of any number. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void;
}

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  after: (ms, task) => startTimer(ms, task, true),
};

/** A clock whose timers do not keep the process alive. */
export const backgroundClock: Clock = {
  ...realClock,
  after: (ms, task) => startTimer(ms, task, false),
};

/** @param keepsAlive whether the process waits for the timer before it exits */
function startTimer(ms: number, task: () => void, keepsAlive: boolean): () => void {
  if (ms > maxTimerMs) {
    const goOn = () => {
      cancel = startTimer(ms - maxTimerMs, task, keepsAlive);
    };
    let cancel = startTimer(maxTimerMs, goOn, keepsAlive);
    return () => cancel();
  }
  const timer = setTimeout(task, ms);
  if (!keepsAlive) timer.unref();
  return () => clearTimeout(timer);
}

const timerGridMs = 50;

/**
 * Rounds a timer's delay up, so that the timer fires at a multiple of `timerGridMs` on the monotonic clock.
 * Timers that fire together wake the process less often. A delay below `timerGridMs` stays unchanged.
 * @param now current time on the monotonic clock, in milliseconds
 */
export function roundUpToGrid(ms: number, now: number): number {
  return ms < timerGridMs ? ms : Math.ceil((now + ms) / timerGridMs) * timerGridMs - now;
}

export const gridClock: Clock = {
  ...realClock,
  after: (ms, task) => realClock.after(roundUpToGrid(ms, performance.now()), task),
};
