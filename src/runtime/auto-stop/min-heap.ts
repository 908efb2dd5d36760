/** An item that becomes due at a certain time. */
export interface Timed {
  /** Milliseconds, of any clock. */
  dueAt: number;
  /** The index in the heap, so that an item can be removed from any position; -1 if the heap does not hold the item. */
  place: number;
}

/** A binary heap of items, ordered by due time. Its cost hardly grows with the number of items. */
export class MinHeap<Item extends Timed> {
  readonly #items: Item[] = [];

  get first(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** Removes an item, if the heap holds it. */
  remove(item: Item): void {
    const { place } = item;
    if (place < 0) return;
    item.place = -1;
    const last = this.#items.pop();
    if (!last || last === item) return;
    this.#rise(last, place);
    this.#sink(last, last.place);
  }

  #rise(item: Item, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#items[above];
      if (!parent || parent.dueAt <= item.dueAt) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(item, place);
  }

  #sink(item: Item, from: number): void {
    let place = from;
    for (;;) {
      const [left, right] = [this.#items[2 * place + 1], this.#items[2 * place + 2]];
      const child = right && left && right.dueAt < left.dueAt ? right : left;
      if (!child || child.dueAt >= item.dueAt) break;
      const below = child.place;
      this.#put(child, place);
      place = below;
    }
    this.#put(item, place);
  }

  #put(item: Item, place: number): void {
    this.#items[place] = item;
    item.place = place;
  }
}
