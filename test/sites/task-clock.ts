/** What happens one after the other, on a clock of its own. */
export class TaskClock {
  now = 0;
  #count = 0;
  readonly #tasks: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];

  /** Runs a task so much later; of those at the same time, the earlier told first. */
  after(ms: number, run: () => void): void {
    this.#count += 1;
    const task = { at: this.now + Math.max(0, ms), order: this.#count, run };
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#tasks[middle];
      if (other && (other.at < task.at || (other.at === task.at && other.order < task.order)))
        low = middle + 1;
      else high = middle;
    }
    this.#tasks.splice(low, 0, task);
  }

  runUntil(end: number): void {
    for (let task = this.#tasks[0]; task && task.at <= end; task = this.#tasks[0]) {
      this.#tasks.shift();
      this.now = Math.max(this.now, task.at);
      task.run();
    }
    this.now = end;
  }
}
