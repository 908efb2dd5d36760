export class SerialQueue<T> {
  #queue: T[] = [];
  #isRunning = false;

  constructor(private readonly run: (one: T) => void) {}

  add(more: readonly T[]): void {
    for (const one of more) this.#queue.push(one);
    if (this.#isRunning) return;
    this.#isRunning = true;
    let done = 0;
    try {
      // Reads by index: removing the first item of a long list would move all other items.
      for (; done < this.#queue.length; ) this.run(this.#queue[done++] as T);
    } finally {
      this.#queue = this.#queue.slice(done);
      this.#isRunning = false;
    }
  }
}
