import type { Clock } from '../../kernel/time/clock';

/** Counts what happens for each key, in periods of equal length. */
export class PeriodCounter {
  readonly #counts = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly periodMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Counts once more for the key. Returns the number in the current period. */
  count(key = ''): number {
    const now = this.clock.monotonic();
    if (now - this.#since >= this.periodMs) {
      this.#since = now;
      this.#counts.clear();
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}

const maxRemembered = 10_000;

export class Cooldown {
  readonly #until = new Map<string, number>();

  constructor(
    private readonly lengthMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  admits(key: string): boolean {
    const now = this.clock.monotonic();
    // All keys are stored for the same time, so the oldest keys come first.
    for (const [known, until] of this.#until) {
      if (until > now && this.#until.size < maxRemembered) break;
      this.#until.delete(known);
    }
    if (this.#until.has(key)) return false;
    this.#until.set(key, now + this.lengthMs);
    return true;
  }
}
