import type { SharedJournal } from './journal/journal';
import type { Json } from './journal/lines';
import { readEntries } from './journal/read-entries';
import { reader, type Shape } from './shape';

/** How a map stores values that are no plain data, such as objects of a class. */
export interface StoredForm<V, R> {
  /** Returns the value of a record; called only while the map is made. */
  read(record: R, key: string): V;
  /** Returns plain data of the shape of the map. */
  write(value: V): R;
}

/**
 * A map that survives restarts: each change is in memory immediately, and in the journal as soon as the disk has it.
 * An entry of the journal that has another shape stays there, and is not in the map.
 */
export class DurableMap<V, R = V> {
  readonly #values = new Map<string, V>();
  /** The keys whose changes the journal does not have yet. */
  readonly #marked = new Set<string>();

  /**
   * @param prefix the start of the keys in the journal, such as `tone/`
   * @param form absent for values that are plain data of the shape
   */
  constructor(journal: SharedJournal, prefix: string, shape: Shape<V>);
  constructor(journal: SharedJournal, prefix: string, shape: Shape<R>, form: StoredForm<V, R>);
  constructor(
    private readonly journal: SharedJournal,
    private readonly prefix: string,
    shape: Shape<R>,
    private readonly form?: StoredForm<V, R>,
  ) {
    for (const [fullKey, record] of readEntries(journal, prefix, reader(shape))) {
      const key = fullKey.slice(prefix.length);
      this.#values.set(key, form ? form.read(record, key) : (record as unknown as V));
    }
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

  /** The map in memory, for owners that look into it very often. */
  get all(): ReadonlyMap<string, V> {
    return this.#values;
  }

  /**
   * Stores a value. A later change of the value is stored by the next call only.
   * @param value without a stored form: plain data, which the caller does not change afterwards
   * @returns a promise that resolves when the value is on disk, its write has failed, or the journal does not wait
   * for the disk any longer
   */
  set(key: string, value: V): Promise<void> {
    this.#values.set(key, value);
    return this.journal.put(this.prefix + key, (this.form ? this.form.write(value) : value) as Json);
  }

  /**
   * Changes an entry in memory only; `storeMarked` stores it. All changes of an entry until then are stored once.
   * @param value undefined deletes the entry
   */
  mark(key: string, value: V | undefined): void {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    this.#marked.add(key);
  }

  /** Stores the entries that `mark` has changed, in the order of their first changes. */
  storeMarked(): void {
    for (const key of this.#marked) {
      const value = this.#values.get(key);
      void (value === undefined ? this.journal.delete(this.prefix + key) : this.set(key, value));
    }
    this.#marked.clear();
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
