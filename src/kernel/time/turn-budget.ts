/** Maximum time for which the waiting tasks of one turn may run, in milliseconds. */
const maxSliceMs = 10;

/**
 * Spreads many short tasks over several turns of the event loop: at most `maxPerTurn` in one turn, in the order
 * of the calls. Without it, for example, a deploy that ends 20,000 messages would hold the event loop for
 * seconds.
 */
export class TurnBudget {
  #left: number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #isRunning = false;

  constructor(private readonly maxPerTurn: number) {
    this.#left = maxPerTurn;
  }

  /** Whether tasks wait for a later turn. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Runs the task: immediately if this turn has room, otherwise in a later turn. The task must not throw.
   * @returns whether the task has run
   */
  spend(task: () => void): boolean {
    this.#schedule();
    if (this.#left === 0 || this.isBehind) {
      this.#waiting.push(task);
      return false;
    }
    this.#left -= 1;
    task();
    return true;
  }

  /** Runs all waiting tasks now, unless a waiting task calls this. */
  flush(): void {
    if (!this.#isRunning) this.#run(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#left = this.maxPerTurn;
      if (!this.isBehind) return;
      this.#schedule();
      this.#run(this.maxPerTurn, performance.now() + maxSliceMs);
    });
  }

  #run(max: number, until: number): void {
    this.#isRunning = true;
    for (let count = 0; count < max && this.isBehind; count += 1) {
      this.#left = Math.max(0, this.#left - 1);
      this.#waiting.shift()?.();
      if (performance.now() >= until) break;
    }
    this.#isRunning = false;
  }
}

/** The budget for the ends of messages and calls that a deploy aborts. */
export const abortBudget = new TurnBudget(50);
