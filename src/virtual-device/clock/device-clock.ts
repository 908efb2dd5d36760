import type { Clock, Timer } from './clock';

interface Appointment extends Timer {
  /**
   * Due time in the device's running time, in milliseconds. The running time follows the speed of the clock,
   * but not the offset of the clock.
   */
  readonly due: number;
  readonly task: () => void;
  handle: Timer;
}

/** A remaining time of up to this number of milliseconds can be a rounding error; the timer is then due. */
const toleranceMs = 0.01;

/**
 * The clock of a device, with its own speed and offset. Timers follow the speed but not the offset, so that a
 * change of the offset does not end a pulse earlier or later.
 */
export class DeviceClock implements Clock {
  readonly outside: Clock;
  readonly #appointments = new Set<Appointment>();
  #speed = 1;
  /** Offset of the clock from the device's running time, in milliseconds; negative if the clock is behind. */
  shift = 0;
  #since: { readonly outside: number; readonly running: number };

  constructor(outside: Clock) {
    this.outside = outside;
    this.#since = { outside: outside.now(), running: outside.now() };
  }

  get speed(): number {
    return this.#speed;
  }

  now(): number {
    return Math.round(this.#running + this.shift);
  }

  setTimeout(task: () => void, ms: number): Timer {
    const due = this.#running + Math.max(0, ms);
    const appointment: Appointment = {
      due,
      task,
      handle: { cancel: () => undefined },
      cancel: () => {
        this.#appointments.delete(appointment);
        appointment.handle.cancel();
      },
    };
    this.#appointments.add(appointment);
    this.#arm(appointment);
    return appointment;
  }

  /**
   * Sets the speed as a factor of real time.
   * @throws RangeError unless the factor is finite and above 0
   */
  set speed(factor: number) {
    if (!(factor > 0) || !Number.isFinite(factor)) throw new RangeError('a speed must be above 0');
    this.#since = { outside: this.outside.now(), running: this.#running };
    this.#speed = factor;
    for (const appointment of this.#appointments) {
      appointment.handle.cancel();
      this.#arm(appointment);
    }
  }

  get #running(): number {
    return this.#since.running + (this.outside.now() - this.#since.outside) * this.#speed;
  }

  #arm(appointment: Appointment): void {
    const ms = Math.max(0, appointment.due - this.#running) / this.#speed;
    appointment.handle = this.outside.setTimeout(() => {
      // Timers of Node can be up to a millisecond early, a long time if the device's clock runs fast.
      if ((appointment.due - this.#running) / this.#speed > toleranceMs) return this.#arm(appointment);
      this.#appointments.delete(appointment);
      appointment.task();
    }, ms);
  }
}
