import { describeFault } from '../../client/errors';
import { DeadlineTimer } from '../../kernel/time/deadline-timer';

/** A site or a centre: it has actions for its owner, and must be woken in time. */
interface Machine<Action> {
  /** Returns the time of the next `tick`, in milliseconds on the monotonic clock. */
  wakeAt(now: number): number;
  tick(now: number): readonly Action[];
}

/**
 * Wakes a machine, and carries out its actions one after the other: an action that causes further actions comes to its
 * end first. An exception is logged, since an uncaught exception would end Node-RED.
 */
export class Loop<Action> {
  #queue: Action[] = [];
  #isRunning = false;
  readonly #timer = new DeadlineTimer(() => this.guard(() => this.do(this.machine.tick(performance.now()))));

  constructor(
    private readonly machine: Machine<Action>,
    private readonly carryOut: (action: Action) => void,
    private readonly warn: (line: string) => void,
  ) {}

  do(actions: readonly Action[]): void {
    for (const action of actions) this.#queue.push(action);
    if (!this.#isRunning) this.#drain();
    this.#timer.set(this.machine.wakeAt(performance.now()));
  }

  guard(task: () => void): void {
    try {
      task();
    } catch (fault) {
      this.warn(describeFault(fault));
    }
  }

  close(): void {
    this.#timer.clear();
  }

  #drain(): void {
    this.#isRunning = true;
    // Reads by index: removing the first item of a long list would move all other items.
    for (let done = 0; done < this.#queue.length; done += 1)
      this.guard(() => this.carryOut(this.#queue[done] as Action));
    this.#queue = [];
    this.#isRunning = false;
  }
}
