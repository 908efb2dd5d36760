/** Maximum delay of Node's timers, in milliseconds; a longer delay overflows and fires immediately. */
export const maxTimerMs = 2 ** 31 - 1;

/** Number of timer periods in one deadline. */
const parts = 8;

/**
 * A deadline that counts only while this process runs, since no answer can arrive while the event loop is
 * blocked. The time is split into equal parts. A part that ends late, after a blockage, counts only once.
 * After the last part, the event loop reads the sockets once more before `onReached` is called.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout;
  readonly #onReached: () => void;
  #left = parts;
  #last: NodeJS.Immediate | undefined;

  /** @param ms length in milliseconds; can exceed the maximum delay of Node's timers */
  constructor(onReached: () => void, ms: number) {
    this.#onReached = onReached;
    this.#timer = setTimeout(() => this.#onPart(), Math.min(Math.ceil(ms / parts), maxTimerMs));
  }

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
