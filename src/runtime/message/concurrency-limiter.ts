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

  /** @param parallel so many at once */
  constructor(
    parallel: number,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {
    this.#gate = new Semaphore(parallel);
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
  leave(visit: Permit): void {
    if (!this.#inside.delete(visit)) return;
    if (this.#inside.size === 0) this.#timer.clear();
    this.#gate.leave();
  }

  #letIn(wire: Wire): Permit {
    const visit = { wire, lookAt: 0 };
    this.#count(visit);
    return visit;
  }

  #count(visit: Permit): void {
    visit.lookAt = this.clock.monotonic() + patienceMs;
    this.#inside.add(visit);
    this.#timer.set(visit.lookAt);
  }

  /** Counts those no longer that have only waited, and looks at the others again later. */
  #look(): void {
    const now = this.clock.monotonic();
    for (const visit of this.#inside) {
      if (visit.lookAt > now) {
        this.#timer.set(visit.lookAt);
        return;
      }
      this.#inside.delete(visit);
      if (visit.wire.onWire) this.#count(visit);
      else this.#gate.leave();
    }
  }
}
