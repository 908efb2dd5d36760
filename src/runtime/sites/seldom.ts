import { type Environment, realEnvironment } from '../../client/environment';

/** Does something at once, and again no sooner than after a pause; whatever came meanwhile is done together then. */
export class Seldom {
  #doneAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly task: () => void,
    private readonly pauseMs: number,
    private readonly clock: Pick<Environment, 'monotonic' | 'after'> = realEnvironment,
  ) {}

  soon(): void {
    if (this.#cancelTimer) return;
    const waitMs = this.#doneAt + this.pauseMs - this.clock.monotonic();
    if (waitMs <= 0) this.#do();
    else this.#cancelTimer = this.clock.after(waitMs, () => this.#do());
  }

  clear(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #do(): void {
    this.#cancelTimer = undefined;
    this.#doneAt = this.clock.monotonic();
    this.task();
  }
}
