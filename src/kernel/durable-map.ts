import type { SharedJournal } from './journal/journal';
import type { Json } from './journal/lines';
import { readEntries } from './journal/read-entries';
import { reader, type Shape } from './shape';

/**
 * A map that survives restarts: each change is in memory immediately, and in the journal as soon as the disk has it.
 * An entry of the journal that has another shape stays there, and is not in the map.
 */
export class DurableMap<V> {
  readonly #values = new Map<string, V>();

  /** @param prefix the start of the keys in the journal, such as `tone/` */
  constructor(
    private readonly journal: SharedJournal,
    private readonly prefix: string,
    shape: Shape<V>,
  ) {
    for (const [key, value] of readEntries(journal, prefix, reader(shape)))
      this.#values.set(key.slice(prefix.length), value);
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** The entries as they are now; the caller may change the map meanwhile. */
  get entries(): readonly (readonly [key: string, value: V])[] {
    return [...this.#values];
  }

  /**
   * Stores a value.
   * @param value plain data, which the caller does not change afterwards
   * @returns a promise that resolves when the value is on disk, its write has failed, or the journal does not wait
   * for the disk any longer
   */
  set(key: string, value: V): Promise<void> {
    this.#values.set(key, value);
    return this.journal.put(this.prefix + key, value as Json);
  }

  /** Returns a promise as `set` does; undefined if there was no entry. */
  delete(key: string): Promise<void> | undefined {
    return this.#values.delete(key) ? this.journal.delete(this.prefix + key) : undefined;
  }

  /** Joins the changes of a callback: after a crash, the journal has either all of them or none. */
  batch(change: () => void): Promise<void> {
    return this.journal.batch(change);
  }
}
