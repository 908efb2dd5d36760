import type { Clock, Timer } from '../../src/virtual-device/clock/clock';

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
