import { backoffMs } from './backoff';
import type { Clock } from './clock';

/** Limits of the pause between two attempts, in milliseconds. The pause doubles with each failure. */
const backoff = { firstMs: 1_000, maxMs: 30_000 };

/** Time from the first failure until the attempts can be given up, in milliseconds. */
const patienceMs = 24 * 3_600_000;

/** The failed attempts of a command in a row. */
export class Retries {
  failures = 0;
  #firstAt: number | undefined;

  /** Counts a failure. Returns the time of the next attempt, as `nextAt` does. */
  fail(clock: Pick<Clock, 'monotonic' | 'random'>): number {
    this.#firstAt ??= clock.monotonic();
    const at = this.nextAt(clock);
    this.failures += 1;
    return at;
  }

  /** Returns the time of the next attempt on the monotonic clock. The pause is randomly reduced by up to half. */
  nextAt(clock: Pick<Clock, 'monotonic' | 'random'>): number {
    return clock.monotonic() + backoffMs(this.failures, backoff) * (1 - clock.random() / 2);
  }

  /** Whether the attempts have failed for a day. */
  isHopeless(clock: Pick<Clock, 'monotonic'>): boolean {
    return this.#firstAt !== undefined && clock.monotonic() - this.#firstAt >= patienceMs;
  }
}
