import type { Clock } from '../../time/clock';

/** Counts what happens for each key in periods of equal length, and admits at most `max` in each period. */
export class Quota {
  readonly #counts = new Map<string, number>();
  #since = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly max: number,
    private readonly periodMs: number,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  admits(key = ''): boolean {
    const now = this.clock.monotonic();
    if (now - this.#since >= this.periodMs) {
      this.#since = now;
      this.#counts.clear();
    }
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.max) return false;
    this.#counts.set(key, count + 1);
    return true;
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
