import { type Clock, realClock } from './clock';

/**
 * A timer for the earliest of several deadlines. At this deadline, the timer forgets all deadlines and calls
 * `onReached` once.
 */
export class DeadlineTimer {
  #at = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly onReached: () => void,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {}

  /**
   * Adds a deadline. Has no effect if the timer is already set to an earlier or the same time.
   * @param moment time on the monotonic clock, in milliseconds; infinity for never, minus infinity for
   * immediately
   */
  set(moment: number): void {
    if (!(moment < this.#at)) return;
    this.#cancel?.();
    this.#at = moment;
    const ms = Math.max(0, moment - this.clock.monotonic());
    this.#cancel = this.clock.after(ms, () => {
      this.#at = Number.POSITIVE_INFINITY;
      this.onReached();
    });
  }

  clear(): void {
    this.#cancel?.();
    this.#at = Number.POSITIVE_INFINITY;
  }
}
