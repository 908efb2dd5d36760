import type { Operation } from '../../catalogue/operation';

/** Maximum number of messages that start immediately in one turn of the event loop; busy flows send fewer. */
const maxAtOnce = 200;

/** A slice ends after 100 waiting messages or 10 ms, whichever comes first. */
const eachTurn = 100;
const sliceMs = 10;

/** While fewer than 20 messages arrive within 5 ms, the end of the turn need not be observed. */
const few = 20;
const shortlyMs = 5;

/** A message that waits for its slice. */
interface Waiting {
  begin(): void;
}

/**
 * A scheduler that spreads a burst of messages over several turns of the event loop, in the order of arrival.
 * Node-RED delivers in one turn all messages that were sent in one turn. Without slices, an emergency that
 * comes last would wait until all other messages are handled.
 * Urgent messages wait for no slice and pass the waiting messages, unless a waiting message might use the
 * same device output. Then the waiting messages start first: queue entries are numbered in the order in which
 * they are taken, and a stop must know the starts that it ends.
 */
class Burst {
  #count = 0;
  #countsUntil = Number.NEGATIVE_INFINITY;
  #isTurnWatched = false;
  readonly #waiting = new Set<Waiting>();
  /** Names of the device outputs of the waiting messages. Names of started messages stay until no message waits. */
  readonly #families = new Set<string>();
  #isBeginning = false;
  #isScheduled = false;

  /**
   * Starts a message, immediately or in its slice.
   * @param now time on the monotonic clock
   * @param operation the operation, which is not urgent; undefined if it is unknown
   */
  enter(now: number, operation: Pick<Operation, 'deviceOutput'> | undefined, begin: () => void): void {
    this.#countOne(now);
    if (this.#waiting.size === 0 && this.#count <= maxAtOnce) {
      begin();
      return;
    }
    this.#waiting.add({ begin });
    if (operation?.deviceOutput) this.#families.add(operation.deviceOutput.name);
    this.#schedule();
  }

  /**
   * Starts the waiting messages before a message that waits for no slice, unless the message may pass them. Urgent
   * messages, messages that read the context, and messages without an action node (alerts, auto-stops, sites) wait for
   * no slice. Only urgent messages pass others: the context might change while earlier messages run.
   */
  beginBefore(operation: Pick<Operation, 'deviceOutput' | 'urgent'> | undefined): void {
    if (this.#waiting.size === 0 || this.#isBeginning) return;
    const passes = operation?.urgent && !this.#families.has(operation.deviceOutput?.name ?? '');
    if (!passes) this.#begin(Number.POSITIVE_INFINITY);
  }

  /**
   * Counts a message of this turn of the event loop. While messages are few, the count covers 5 ms instead of
   * a turn.
   */
  #countOne(now: number): void {
    if (now >= this.#countsUntil) {
      this.#countsUntil = now + shortlyMs;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count < few || this.#isTurnWatched) return;
    this.#isTurnWatched = true;
    this.#countsUntil = Number.POSITIVE_INFINITY;
    setImmediate(() => {
      this.#isTurnWatched = false;
      this.#countsUntil = Number.NEGATIVE_INFINITY;
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begin(eachTurn);
      this.#schedule();
    });
  }

  #begin(max: number): void {
    this.#isBeginning = true;
    let left = max;
    const until = max === eachTurn ? performance.now() + sliceMs : Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      waiting.begin();
      left -= 1;
      if (left === 0 || performance.now() >= until) break;
    }
    this.#isBeginning = false;
    if (this.#waiting.size === 0) this.#families.clear();
  }
}

/** All nodes share one burst, because messages from two nodes to one device have an order. */
export const burst = new Burst();
