import type { Clock } from '../../time/clock';

/** Maximum age of a remembered length, in milliseconds. */
const maxAgeMs = 24 * 3_600_000;
/** Maximum number of remembered lengths. */
const maxKnown = 10_000;

interface Known {
  readonly ms: number;
  readonly at: number;
}

export class ToneLengths {
  /**
   * Number of calls of `forget`. If the number changes while a tone is read, the length that was read might
   * be out of date.
   */
  changes = 0;
  readonly #known = new Map<string, Known>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  get(key: string, tone: string): number | undefined {
    const known = this.#known.get(nameOf(key, tone));
    return known && this.clock.monotonic() - known.at < maxAgeMs ? known.ms : undefined;
  }

  set(key: string, tone: string, ms: number): void {
    const name = nameOf(key, tone);
    this.#known.delete(name);
    this.#known.set(name, { ms, at: this.clock.monotonic() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  forget(key: string, tone: string): void {
    this.#known.delete(nameOf(key, tone));
    this.changes += 1;
  }
}

function nameOf(key: string, tone: string): string {
  return `${key}\n${tone}`;
}
