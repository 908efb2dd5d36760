/**
 * Spreads many short tasks over several turns of the event loop: at most `maxPerTurn` in one turn, in the order
 * of the calls. Without it, for example, a deploy that ends 20,000 messages would hold the event loop for
 * seconds.
 */
export class TurnBudget {
  #left: number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(private readonly maxPerTurn: number) {
    this.#left = maxPerTurn;
  }

  /** Runs the task: immediately if this turn has room, otherwise in a later turn. The task must not throw. */
  spend(task: () => void): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.#nextTurn());
    }
    if (this.#left === 0) {
      this.#waiting.push(task);
      return;
    }
    this.#left -= 1;
    task();
  }

  #nextTurn(): void {
    const tasks = this.#waiting.splice(0, this.maxPerTurn);
    this.#left = this.maxPerTurn - tasks.length;
    this.#isScheduled = tasks.length > 0;
    if (this.#isScheduled) setImmediate(() => this.#nextTurn());
    for (const task of tasks) task();
  }
}

/** The budget for the ends of messages and calls that a deploy aborts. */
export const abortBudget = new TurnBudget(50);
