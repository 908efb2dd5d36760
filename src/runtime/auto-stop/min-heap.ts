export interface Timed {
  dueAt: number;
  index: number;
}

export class MinHeap<Item extends Timed> {
  readonly #items: Item[] = [];

  get first(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  remove(item: Item): void {
    const { index } = item;
    if (index < 0) return;
    item.index = -1;
    const last = this.#items.pop();
    if (!last || last === item) return;
    this.#rise(last, index);
    this.#sink(last, last.index);
  }

  #rise(item: Item, from: number): void {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = this.#items[above];
      if (!parent || parent.dueAt <= item.dueAt) break;
      this.#put(parent, index);
      index = above;
    }
    this.#put(item, index);
  }

  #sink(item: Item, from: number): void {
    let index = from;
    for (;;) {
      const [left, right] = [this.#items[2 * index + 1], this.#items[2 * index + 2]];
      const child = right && left && right.dueAt < left.dueAt ? right : left;
      if (!child || child.dueAt >= item.dueAt) break;
      const below = child.index;
      this.#put(child, index);
      index = below;
    }
    this.#put(item, index);
  }

  #put(item: Item, index: number): void {
    this.#items[index] = item;
    item.index = index;
  }
}
