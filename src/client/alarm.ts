import type { Environment } from './environment';
import { longestDelayMs } from './limit';

/** Wakes once at the earliest of the moments that it was told. */
export class Alarm {
  #at = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Pick<Environment, 'monotonic' | 'after'>,
    private readonly onAlarm: () => void,
  ) {}

  /** @param moment of the monotonic clock; infinite for never */
  set(moment: number): void {
    if (moment >= this.#at || !Number.isFinite(moment)) return;
    this.#cancel?.();
    this.#at = moment;
    // It may be over by now.
    const ms = Math.min(Math.max(0, moment - this.clock.monotonic()), longestDelayMs);
    this.#cancel = this.clock.after(ms, () => {
      this.#at = Number.POSITIVE_INFINITY;
      this.onAlarm();
    });
  }

  clear(): void {
    this.#cancel?.();
    this.#at = Number.POSITIVE_INFINITY;
  }
}
