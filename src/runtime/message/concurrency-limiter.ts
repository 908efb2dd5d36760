import { Semaphore } from '../../client/http/semaphore';
import type { Abort } from '../../client/queue/entry';
import { type Clock, realClock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';

/**
 * Time in milliseconds after which a target loses its permit, unless a request to the target was sent and
 * waits for its answer.
 */
const patienceMs = 1_000;

type Wire = Pick<Abort, 'onWire'>;

export interface Permit {
  readonly wire: Wire;
  /** The time of the next check, on the monotonic clock. */
  lookAt: number;
}

/**
 * Limits the number of targets that are served in parallel. An offline device must not delay other devices:
 * after `patienceMs`, a target loses its permit, unless a request to the target was sent and waits for its
 * answer.
 */
export class ConcurrencyLimiter {
  readonly #gate: Semaphore;
  /** The targets with a permit, in the order of their next checks. One timer is enough for all targets. */
  readonly #inside = new Set<Permit>();
  readonly #timer: DeadlineTimer;

  constructor(
    maxParallel: number,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {
    this.#gate = new Semaphore(maxParallel);
    this.#timer = new DeadlineTimer(() => this.#look(), clock);
  }

  /**
   * Waits for a permit.
   * @param abort ends the wait
   * @param wire shows whether the target has a sent and unanswered request; default: `abort`
   * @returns the permit, or a promise of the permit
   * @throws Failure the reason of the abort
   */
  enter(abort: Abort, wire: Wire = abort): Permit | Promise<Permit> {
    const waiting = this.#gate.enter(abort);
    return waiting ? waiting.then(() => this.#letIn(wire)) : this.#letIn(wire);
  }

  leave(permit: Permit): void {
    if (!this.#inside.delete(permit)) return;
    if (this.#inside.size === 0) this.#timer.clear();
    this.#gate.leave();
  }

  #letIn(wire: Wire): Permit {
    const permit = { wire, lookAt: 0 };
    this.#count(permit);
    return permit;
  }

  #count(permit: Permit): void {
    permit.lookAt = this.clock.monotonic() + patienceMs;
    this.#inside.add(permit);
    this.#timer.set(permit.lookAt);
  }

  #look(): void {
    const now = this.clock.monotonic();
    for (const permit of this.#inside) {
      if (permit.lookAt > now) {
        this.#timer.set(permit.lookAt);
        return;
      }
      this.#inside.delete(permit);
      if (permit.wire.onWire) this.#count(permit);
      else this.#gate.leave();
    }
  }
}
