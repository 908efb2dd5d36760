/** What messages name and deploys replace. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  /** A deploy has closed it. */
  readonly isClosed: boolean;
}

/** What is found under a word, in the order of the names. */
interface Found<T> {
  readonly all: Set<T>;
  inOrder?: readonly T[] | undefined;
}

/** Entries by a word, of which each may have several: found at the same cost among ten and ten thousand. */
export class Index<T extends Entry> {
  readonly #found = new Map<string, Found<T>>();

  add(word: string, entry: T): void {
    const found = this.#found.get(word) ?? { all: new Set() };
    found.all.add(entry);
    found.inOrder = undefined;
    this.#found.set(word, found);
  }

  remove(word: string, entry: T): void {
    const found = this.#found.get(word);
    if (!found?.all.delete(entry)) return;
    found.inOrder = undefined;
    if (found.all.size === 0) this.#found.delete(word);
  }

  /** Sorted by name once, not for each message. */
  get(word: string): readonly T[] {
    const found = this.#found.get(word);
    if (!found) return [];
    found.inOrder ??= [...found.all].sort(byName);
    return found.inOrder;
  }
}

/** The entries of one kind by their ids and names. One that a deploy replaces keeps its place until its successor runs. */
export class Directory<T extends Entry> {
  readonly #byId = new Map<string, T>();
  readonly #byName = new Index<T>();

  /** Returns whose place it took. */
  put(entry: T): T | undefined {
    const predecessor = this.#byId.get(entry.id);
    if (predecessor) this.#byName.remove(predecessor.name, predecessor);
    this.#byId.set(entry.id, entry);
    this.#byName.add(entry.name, entry);
    return predecessor;
  }

  /** Returns whether it was here: a successor may have its place already. */
  remove(entry: T): boolean {
    if (this.#byId.get(entry.id) !== entry) return false;
    this.#byId.delete(entry.id);
    this.#byName.remove(entry.name, entry);
    return true;
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<T> {
    return this.#byId.values();
  }

  /** One that is being replaced is found only where no other has the name now. */
  named(name: string): readonly T[] {
    const named = this.#byName.get(name);
    const open = named.filter(({ isClosed }) => !isClosed);
    return open.length > 0 ? open : named;
  }

  /** Those that a deploy has closed and not started again yet. */
  get closed(): T[] {
    return [...this.#byId.values()].filter(({ isClosed }) => isClosed);
  }
}

/** Sorts by name, the same on every machine whatever its language. */
export function byName(a: Pick<Entry, 'id' | 'name'>, b: Pick<Entry, 'id' | 'name'>): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
