/** Does one thing after the other, also those that doing one of them brings up. */
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
      // Taken by their places: to take the first away from many moves all others.
      for (; done < this.#queue.length; ) this.run(this.#queue[done++] as T);
    } finally {
      this.#queue = this.#queue.slice(done);
      this.#isRunning = false;
    }
  }
}
