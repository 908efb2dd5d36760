/** Longer delays overflow Node's timers and fire at once. */
export const longestDelayMs = 2 ** 31 - 1;

/** A limit is counted in so many parts. */
const parts = 8;

/**
 * A limit of time that counts only while this process runs: when the event loop was held up, what was asked for
 * could not come in time either. It is counted in parts, and a part that ends late counts as one; at the end, what
 * has come meanwhile is read before the limit is called reached.
 */
export class Limit {
  readonly #timer: NodeJS.Timeout;
  readonly #onReached: () => void;
  #left = parts;
  #last: NodeJS.Immediate | undefined;

  /** @param ms of any length */
  constructor(onReached: () => void, ms: number) {
    this.#onReached = onReached;
    this.#timer = setTimeout(() => this.#onPart(), Math.min(Math.ceil(ms / parts), longestDelayMs));
  }

  /** Counts from the beginning. */
  restart(): void {
    clearImmediate(this.#last);
    this.#left = parts;
    this.#timer.refresh();
  }

  clear(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#last);
    this.#left = 0;
  }

  #onPart(): void {
    this.#left -= 1;
    if (this.#left > 0) this.#timer.refresh();
    else this.#last = setImmediate(this.#onReached);
  }
}
