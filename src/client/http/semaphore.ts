import type { Abort } from '../queue/entry';

export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number) {
    this.#free = limit;
  }

  /**
   * @returns undefined if a permit was free, otherwise a promise that resolves when the caller has a permit
   * @throws Failure with which the call was aborted; a rejection if the caller was already waiting
   */
  enter(abort: Abort): Promise<void> | undefined {
    if (abort.reason) throw abort.reason;
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise<void>((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin);
        abort.setListener(undefined);
        resolve();
      };
      this.#waiting.add(begin);
      abort.setListener((reason) => {
        this.#waiting.delete(begin);
        reject(reason);
      });
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free += 1;
  }
}
