/** Wakes once, at the earliest of the moments that it was told. */
export class AlarmClock {
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;

  constructor(private readonly wake: () => void) {}

  /** @param moment on the clock of `performance.now()`; infinite for never */
  set(moment: number): void {
    if (moment >= this.#at || !Number.isFinite(moment)) return;
    clearTimeout(this.#timer);
    this.#at = moment;
    this.#timer = setTimeout(
      () => {
        this.#at = Number.POSITIVE_INFINITY;
        this.wake();
      },
      Math.min(Math.max(1, moment - performance.now()), 2_147_483_647),
    );
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#at = Number.POSITIVE_INFINITY;
  }
}
