import type { SharedJournal } from './journal/journal';
import { readEntries } from './journal/read-entries';
import { reader, type Shape } from './shape';

/** A change of an entry of the journal: its whole key, and its value; undefined deletes the entry. */
export type JournalChange<V = object> = readonly [key: string, value: V | undefined];

/**
 * A map whose changes the journal gets later: all changes of an entry until then are stored once. The changes of very
 * many device outputs come in one turn of the event loop, and each change that is stored holds the event loop. The
 * kernel's `DurableMap` stores each change when it comes.
 */
export class WriteBehindMap<V, R = V> extends Map<string, V> {
  /** The keys whose changes the journal does not have yet, in the order of their first changes. */
  readonly #changed = new Set<string>();
  readonly #prefix: string;

  /**
   * @param prefix the start of the keys in the journal, such as `alert/is/`
   * @param read returns the value of a record, and is called only while the map is made; absent for values that are
   * plain data of the shape
   */
  constructor(journal: SharedJournal, prefix: string, shape: Shape<V>);
  constructor(journal: SharedJournal, prefix: string, shape: Shape<R>, read: (record: R, key: string) => V);
  constructor(
    journal: SharedJournal,
    prefix: string,
    shape: Shape<R>,
    read = (record: R, _key: string) => record as unknown as V,
  ) {
    super();
    this.#prefix = prefix;
    for (const [fullKey, record] of readEntries(journal, prefix, reader(shape))) {
      const key = fullKey.slice(prefix.length);
      super.set(key, read(record, key));
    }
  }

  /** Also called after each change inside of a value, such as an object of a class. */
  override set(key: string, value: V): this {
    this.#changed.add(key);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    if (!super.delete(key)) return false;
    this.#changed.add(key);
    return true;
  }

  /** Returns the changes since the last call, as the entries are now. The owner gives their records to the journal. */
  takeChanges(): JournalChange<V>[] {
    const changes = Array.from(this.#changed, (key) => [this.#prefix + key, this.get(key)] as const);
    this.#changed.clear();
    return changes;
  }
}
