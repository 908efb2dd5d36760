import type { SharedJournal } from './journal/journal';
import type { Json } from './journal/lines';
import { readEntries } from './journal/read-entries';
import { reader, type Shape } from './shape';

/** A change of an entry of the journal; undefined deletes the entry. */
export type JournalChange = readonly [key: string, record: Json | undefined];

/** Form in which the journal has values that are no plain data, such as objects of a class. */
interface StoredForm<V, R> {
  /** Returns the value of a record; called only while the map is made. */
  read(record: R, key: string): V;
  /** Returns plain data of the shape of the map. */
  write(value: V): R;
}

/**
 * A map whose changes the journal gets later: all changes of an entry until then are stored once. The changes of very
 * many device outputs come in one turn of the event loop, and each change that is stored holds the event loop. The
 * kernel's `DurableMap` stores each change when it comes.
 */
export class WriteBehindMap<V, R = V> extends Map<string, V> {
  /** The keys whose changes the journal does not have yet, in the order of their first changes. */
  readonly #changed = new Set<string>();
  readonly #prefix: string;
  readonly #form: StoredForm<V, R> | undefined;

  /**
   * @param prefix the start of the keys in the journal, such as `alert/is/`
   * @param form absent for values that are plain data of the shape
   */
  constructor(journal: SharedJournal, prefix: string, shape: Shape<V>);
  constructor(journal: SharedJournal, prefix: string, shape: Shape<R>, form: StoredForm<V, R>);
  constructor(journal: SharedJournal, prefix: string, shape: Shape<R>, form?: StoredForm<V, R>) {
    super();
    this.#prefix = prefix;
    this.#form = form;
    for (const [fullKey, record] of readEntries(journal, prefix, reader(shape))) {
      const key = fullKey.slice(prefix.length);
      super.set(key, form ? form.read(record, key) : (record as unknown as V));
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

  /** Returns the changes since the last call, as the entries are now. */
  takeChanges(): JournalChange[] {
    const keys = [...this.#changed];
    this.#changed.clear();
    return keys.map((key) => {
      const value = this.get(key);
      const record = value !== undefined && this.#form ? this.#form.write(value) : value;
      return [this.#prefix + key, record as Json | undefined];
    });
  }
}
