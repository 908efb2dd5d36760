import type { Abort } from '../queue/entry';

/** Lets so many in at a time, in the order of their coming. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number) {
    this.#free = limit;
  }

  /**
   * @returns undefined when it may go in at once, else what to wait for
   * @throws Failure the abort's reason, also as a rejection
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
        abort.tell(undefined);
        resolve();
      };
      this.#waiting.add(begin);
      abort.tell((reason) => {
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
