import type { Abort } from './abort';

/** One at a time, first come first served. */
export class Queue {
  #waiting: (() => void)[] = [];
  #busy = false;

  /**
   * Takes its turn. Who got it calls `leave` when done.
   * @returns undefined when the turn came at once, else what to wait for
   * @throws the abort's reason, also as a rejection when it comes while waiting
   */
  enter(abort: Abort): Promise<void> | undefined {
    if (abort.reason) throw abort.reason;
    if (this.#busy) return this.#wait(abort);
    this.#busy = true;
    return undefined;
  }

  /** Gives the turn to the next one. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy = false;
  }

  #wait(abort: Abort): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        abort.tell(undefined);
        resolve();
      };
      this.#waiting.push(start);
      abort.tell((reason) => {
        this.#waiting = this.#waiting.filter((one) => one !== start);
        reject(reason);
      });
    });
  }
}
