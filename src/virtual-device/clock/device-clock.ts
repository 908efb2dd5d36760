import type { Clock, Timer } from './clock';

interface Appointment extends Timer {
  /** In the device's running time, which no shift touches. */
  readonly due: number;
  readonly task: () => void;
  handle: Timer;
}

/**
 * A device's own time: it runs at a speed of its own and may be ahead or behind.
 * Timers follow the speed, not the shift: a wrong clock makes no door lock sooner.
 */
export class DeviceClock implements Clock {
  /** The time outside of the device: how networks count, whatever the device believes. */
  readonly outside: Clock;
  readonly #appointments = new Set<Appointment>();
  #speed = 1;
  #shift = 0;
  #since: { readonly outside: number; readonly running: number };

  constructor(outside: Clock) {
    this.outside = outside;
    this.#since = { outside: outside.now(), running: outside.now() };
  }

  get speed(): number {
    return this.#speed;
  }

  /** Milliseconds that the clock is ahead of its own running time; negative when behind. */
  get shift(): number {
    return this.#shift;
  }

  /** Puts the clock that many milliseconds ahead of right time, or behind it. */
  set shift(ms: number) {
    this.#shift = ms;
  }

  now(): number {
    return Math.round(this.#running + this.#shift);
  }

  setTimeout(task: () => void, ms: number): Timer {
    const due = this.#running + Math.max(0, ms);
    const appointment: Appointment = {
      due,
      task,
      handle: { cancel: () => undefined },
      cancel: () => this.clearTimeout(appointment),
    };
    this.#appointments.add(appointment);
    this.#arm(appointment);
    return appointment;
  }

  clearTimeout(timer: Timer): void {
    const appointment = timer as Appointment;
    this.#appointments.delete(appointment);
    this.outside.clearTimeout(appointment.handle);
  }

  /** From now on time runs that many times as fast. Throws unless it is a number above 0. */
  set speed(factor: number) {
    if (!(factor > 0) || !Number.isFinite(factor)) throw new RangeError('a speed must be above 0');
    this.#since = { outside: this.outside.now(), running: this.#running };
    this.#speed = factor;
    for (const appointment of this.#appointments) {
      this.outside.clearTimeout(appointment.handle);
      this.#arm(appointment);
    }
  }

  get #running(): number {
    return this.#since.running + (this.outside.now() - this.#since.outside) * this.#speed;
  }

  #arm(appointment: Appointment): void {
    const ms = Math.max(0, appointment.due - this.#running) / this.#speed;
    appointment.handle = this.outside.setTimeout(() => {
      this.#appointments.delete(appointment);
      appointment.task();
    }, ms);
  }
}
