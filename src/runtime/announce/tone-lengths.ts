import type { Clock } from '../../kernel/time/clock';
import type { SoundLength } from './wav-chunks';

/** Maximum age of a remembered length, in milliseconds. */
const maxAgeMs = 24 * 3_600_000;
/** Maximum number of remembered lengths. */
const maxKnown = 10_000;

interface Known {
  readonly ms: number;
  readonly at: number;
}

export class ToneLengths {
  readonly #known = new Map<string, Known>();
  /** The readings under way. One that is no longer in the map has read a tone that was forgotten meanwhile. */
  readonly #readings = new Map<string, object>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  get(key: string, tone: string): number | undefined {
    const known = this.#known.get(nameOf(key, tone));
    return known && this.clock.monotonic() - known.at < maxAgeMs ? known.ms : undefined;
  }

  /**
   * Reads the length of a tone, and remembers it unless the tone is forgotten before the end of the reading.
   */
  async read(key: string, tone: string, read: () => Promise<SoundLength>): Promise<SoundLength> {
    const name = nameOf(key, tone);
    const reading = {};
    this.#readings.set(name, reading);
    const isCurrent = () => this.#readings.get(name) === reading;
    try {
      const length = await read();
      if ('ms' in length && isCurrent()) this.#set(name, length.ms);
      return length;
    } finally {
      if (isCurrent()) this.#readings.delete(name);
    }
  }

  forget(key: string, tone: string): void {
    const name = nameOf(key, tone);
    this.#known.delete(name);
    this.#readings.delete(name);
  }

  #set(name: string, ms: number): void {
    this.#known.delete(name);
    this.#known.set(name, { ms, at: this.clock.monotonic() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}

function nameOf(key: string, tone: string): string {
  return `${key}\n${tone}`;
}
