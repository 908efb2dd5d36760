export interface Timer {
  cancel(): void;
}

/** A source of time. All durations are in milliseconds. */
export interface Clock {
  /** Returns the time in epoch milliseconds. */
  now(): number;
  setTimeout(task: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
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

  clearTimeout(timer: Timer): void {
    timer.cancel();
  }
}

interface Appointment extends Timer {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that moves only when a test calls `advance`. */
export class ManualClock implements Clock {
  #now: number;
  #appointments: Appointment[] = [];

  /** @param now start time in epoch milliseconds */
  constructor(now: number = Date.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  get pending(): number {
    return this.#appointments.length;
  }

  setTimeout(task: () => void, ms: number): Timer {
    const appointment: Appointment = {
      at: this.#now + Math.max(0, ms),
      task,
      cancel: () => {
        this.#appointments = this.#appointments.filter((other) => other !== appointment);
      },
    };
    this.#appointments.push(appointment);
    return appointment;
  }

  clearTimeout(timer: Timer): void {
    timer.cancel();
  }

  /** Moves time forward by `ms` and runs each due task in order, at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#appointments.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      due.cancel();
      this.#now = due.at;
      due.task();
    }
    this.#now = end;
  }
}
