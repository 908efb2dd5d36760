import type { Clock } from '../../kernel/time/clock';
import type { SoundLength } from './wav-chunks';

/** Maximum age of a remembered length, in milliseconds. */
const maxAgeMs = 24 * 3_600_000;
/** Maximum number of remembered lengths. */
const maxKnown = 10_000;

interface Known {
  readonly reading: Promise<SoundLength>;
  /** Undefined as long as the length is read. */
  ms: number | undefined;
  readonly at: number;
}

/** Reads the lengths of tones, and remembers them. */
export class ToneLengths {
  readonly #known = new Map<string, Known>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Returns the length of a tone in milliseconds; undefined if it was not read. */
  get(key: string, tone: string): number | undefined {
    return this.#find(nameOf(key, tone))?.ms;
  }

  /**
   * Returns the length of a tone, which is read unless it is known. Callers at the same time share one reading. A
   * reading without a length is not remembered.
   */
  read(key: string, tone: string, read: () => Promise<SoundLength>): Promise<SoundLength> {
    const name = nameOf(key, tone);
    const found = this.#find(name);
    if (found) return found.reading;
    const reading = read()
      .then((length) => {
        if ('ms' in length) known.ms = length.ms;
        return length;
      })
      .finally(() => {
        if (known.ms === undefined && this.#known.get(name) === known) this.#known.delete(name);
      });
    const known: Known = { reading, ms: undefined, at: this.clock.monotonic() };
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return reading;
  }

  /** Forgets a tone. A reading under way is not remembered. */
  forget(key: string, tone: string): void {
    this.#known.delete(nameOf(key, tone));
  }

  #find(name: string): Known | undefined {
    const known = this.#known.get(name);
    return known && this.clock.monotonic() - known.at < maxAgeMs ? known : undefined;
  }
}

function nameOf(key: string, tone: string): string {
  return `${key}\n${tone}`;
}
