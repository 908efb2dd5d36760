/** A timer that was set on a clock; opaque to its owner. */
export interface Timer {
  cancel(): void;
}

/** Where a device takes its time from. All durations are milliseconds. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  setTimeout(task: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

/** Node fires a longer timer at once instead of late. */
const maxTimerMs = 2 ** 31 - 1;

/** The machine's own time. */
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

/** Time that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number;
  #appointments: Appointment[] = [];

  /** @param now milliseconds since the Unix epoch at which the clock stands */
  constructor(now: number = Date.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** How many timers are set: after a device has stopped, none. */
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

  /** Moves time on by `ms` and runs what falls due, in order, each at its own moment. */
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
