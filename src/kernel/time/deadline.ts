/** Maximum delay of Node's timers, in milliseconds; a longer delay overflows and fires immediately. */
export const maxTimerMs = 2 ** 31 - 1;

const parts = 8;

/**
 * A deadline that is split into `parts` equal parts. A blockage of the event loop counts as at most one part,
 * since no answer can be read during the blockage. After the last part, the event loop reads the sockets once
 * more before `onReached` is called.
 */
export class Deadline {
  readonly #timer: NodeJS.Timeout;
  readonly #onReached: () => void;
  #left = parts;
  #last: NodeJS.Immediate | undefined;

  /** @param ms length in milliseconds, at most `parts` times `maxTimerMs`; a longer deadline is shortened */
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
