/** One at a time, first come first served. */
export class Queue {
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  /**
   * Waits for its turn.
   * @returns what to call when done
   * @throws the signal's reason, when it is aborted while waiting
   */
  enter(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', onAbort);
        this.#busy = true;
        resolve(() => this.#leave());
      };
      const onAbort = () => {
        const place = this.#waiting.indexOf(start);
        if (place >= 0) this.#waiting.splice(place, 1);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      if (!this.#busy) return start();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(start);
    });
  }

  #leave(): void {
    this.#busy = false;
    this.#waiting.shift()?.();
  }
}
