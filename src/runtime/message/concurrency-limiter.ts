import { Semaphore } from '../../client/http/semaphore';
import type { Abort } from '../../client/queue/entry';
import { type Clock, realClock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';

/** How long a target counts that has nothing on the wire, in milliseconds. */
const patienceMs = 1_000;

/** Tells whether something of a target is on the wire. */
type Wire = Pick<Abort, 'onWire'>;

/** One target among those that are spoken to now. */
export interface Permit {
  readonly wire: Wire;
  /** When it is looked at, on the monotonic clock. */
  lookAt: number;
}

/**
 * The targets of one message that are spoken to at once. One that only waits, for a connection or for its next try,
 * counts no longer than a second: what is dead delays none of the others. A target counts from its turn at the device
 * on and not before it: a place taken later than the message came would let other messages pass.
 */
export class ConcurrencyLimiter {
  readonly #gate: Semaphore;
  /** Those that count, in the order in which they are looked at: one timer does for all. */
  readonly #inside = new Set<Permit>();
  readonly #timer: DeadlineTimer;

  /** @param maxParallel the number of targets that are served in parallel */
  constructor(
    maxParallel: number,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {
    this.#gate = new Semaphore(maxParallel);
    this.#timer = new DeadlineTimer(() => this.#look(), clock);
  }

  /**
   * Waits until there is room for one more.
   * @param abort ends the waiting
   * @param wire what says whether something is on the wire, where that is another one
   * @returns a promise only where there is none
   * @throws Failure the abort's reason, also as a rejection
   */
  enter(abort: Abort, wire: Wire = abort): Permit | Promise<Permit> {
    const waiting = this.#gate.enter(abort);
    return waiting ? waiting.then(() => this.#letIn(wire)) : this.#letIn(wire);
  }

  /** Makes room again, unless its time was over before. */
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

  /** Counts those no longer that have only waited, and looks at the others again later. */
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
