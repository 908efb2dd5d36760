import { type Clock, realClock } from './clock';

/**
 * Runs a task at most once per `pauseMs`. A call of `soon` runs the task immediately, or at the end of the
 * pause after the last run. All calls within one pause share one run.
 */
export class Throttle {
  #doneAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly task: () => void,
    private readonly pauseMs: number,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
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
