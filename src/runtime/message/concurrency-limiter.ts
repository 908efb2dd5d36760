import { Semaphore } from '../../client/http/semaphore';
import { Abort } from '../../client/queue/entry';
import { type Clock, realClock } from '../../kernel/time/clock';
import { DeadlineTimer } from '../../kernel/time/deadline-timer';
import { TurnBudget } from '../../kernel/time/turn-budget';

/** Time in milliseconds after which a target loses its permit. */
const patienceMs = 1_000;

/** The targets whose turns begin in one turn of the event loop, since the answers of many devices come together. */
const budget = new TurnBudget(20);

export interface Permit {
  /** On the monotonic clock, in milliseconds. */
  readonly endsAt: number;
}

/**
 * Limits the number of targets that are served in parallel. A device that does not answer must not delay other
 * devices, so a target loses its permit after `patienceMs`.
 */
export class ConcurrencyLimiter {
  /** The clock of new limiters. A test can replace the clock. */
  static clock: Pick<Clock, 'monotonic' | 'after'> = realClock;
  readonly #gate: Semaphore;
  /** The permits in the order of their ends. One timer is enough for all permits. */
  readonly #permits = new Set<Permit>();
  readonly #timer: DeadlineTimer;

  constructor(
    maxParallel: number,
    private readonly clock = ConcurrencyLimiter.clock,
  ) {
    this.#gate = new Semaphore(maxParallel);
    this.#timer = new DeadlineTimer(() => this.#endOverdue(), clock);
  }

  /**
   * Waits for a permit.
   * @param abort ends the wait
   * @returns the permit, or a promise of the permit
   * @throws Failure the reason of the abort
   */
  enter(abort: Abort): Permit | Promise<Permit> {
    const waiting = this.#gate.enter(abort);
    return waiting ? waiting.then(() => this.#letIn()) : this.#letIn();
  }

  leave(permit: Permit): void {
    if (!this.#permits.delete(permit)) return;
    if (this.#permits.size === 0) this.#timer.clear();
    budget.spend(() => this.#gate.leave());
  }

  /** Runs a task with a permit. */
  async within<T>(task: () => Promise<T>): Promise<T> {
    const permit = await this.enter(new Abort());
    try {
      return await task();
    } finally {
      this.leave(permit);
    }
  }

  #letIn(): Permit {
    const permit = { endsAt: this.clock.monotonic() + patienceMs };
    this.#permits.add(permit);
    this.#timer.set(permit.endsAt);
    return permit;
  }

  #endOverdue(): void {
    const now = this.clock.monotonic();
    for (const permit of this.#permits) {
      if (permit.endsAt > now) {
        this.#timer.set(permit.endsAt);
        return;
      }
      this.leave(permit);
    }
  }
}
