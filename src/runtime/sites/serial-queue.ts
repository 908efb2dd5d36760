/**
 * A queue that runs its items one after the other. Items that are added during a run are run after the
 * others.
 */
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
      // Read by index, because removing the first item of a long list moves all others.
      for (; done < this.#queue.length; ) this.run(this.#queue[done++] as T);
    } finally {
      this.#queue = this.#queue.slice(done);
      this.#isRunning = false;
    }
  }
}
