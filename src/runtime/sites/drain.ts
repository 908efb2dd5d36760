/** Does one thing after the other, also those that doing one of them brings up. */
export class Drain<T> {
  readonly #queue: T[] = [];
  #isRunning = false;

  constructor(private readonly run: (one: T) => void) {}

  add(more: readonly T[]): void {
    this.#queue.push(...more);
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let one = this.#queue.shift(); one !== undefined; one = this.#queue.shift()) this.run(one);
    } finally {
      this.#isRunning = false;
    }
  }
}
