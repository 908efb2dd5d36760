export interface Timer {
  cancel(): void;
}

/** A source of time. All durations are in milliseconds. */
export interface Clock {
  /** Returns the time in epoch milliseconds. */
  now(): number;
  setTimeout(task: () => void, ms: number): Timer;
}

/** Maximum delay of Node's timers; a longer delay fires immediately. */
const maxTimerMs = 2 ** 31 - 1;

export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  setTimeout(task: () => void, ms: number): Timer {
    let handle: NodeJS.Timeout;
    const arm = (left: number): void => {
      const step = Math.min(left, maxTimerMs);
      handle = setTimeout(() => (left > step ? arm(left - step) : task()), step);
    };
    arm(ms);
    return { cancel: () => clearTimeout(handle) };
  }
}
