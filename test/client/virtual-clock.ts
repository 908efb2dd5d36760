/** A clock that stands still until it is told to go on, for `Environment`. Milliseconds. */
export class VirtualClock {
  now = 0;
  #tasks: { readonly at: number; readonly run: () => void }[] = [];

  readonly monotonic = (): number => this.now;

  readonly after = (ms: number, run: () => void): (() => void) => {
    const task = { at: this.now + Math.max(0, ms), run };
    // Behind those of the same instant, as timers are.
    const index = this.#tasks.findIndex(({ at }) => at > task.at);
    this.#tasks.splice(index < 0 ? this.#tasks.length : index, 0, task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  };

  /** How many tasks wait for their time. */
  get pending(): number {
    return this.#tasks.length;
  }

  /** Does the next task in its time. Returns whether that instant has no other. */
  step(): boolean {
    const task = this.#tasks.shift();
    if (!task) return true;
    this.now = task.at;
    task.run();
    return this.#tasks[0]?.at !== this.now;
  }

  /** Lets time pass, and does what is due meanwhile. */
  advance(ms: number): void {
    const until = this.now + ms;
    for (let [next] = this.#tasks; next && next.at <= until; [next] = this.#tasks) this.step();
    this.now = until;
  }
}
