import type { Operation } from '../../catalogue/operation';

/** So many messages are begun as they come in one turn of the event loop: more than busy flows have. */
const maxAtOnce = 200;

/** Of those that have to wait, so many are begun in each turn, or what is begun in so many milliseconds. */
const eachTurn = 100;
const sliceMs = 10;

/** Where fewer than so many come within so many milliseconds, nobody need be told of a turn's end. */
const few = 20;
const shortlyMs = 5;

/** A message that waits for its slice. */
interface Waiting {
  begin(): void;
}

/**
 * Spreads a burst of messages over turns of the event loop, in the order of their coming. Node-RED hands over in one
 * turn all that was sent in one, and whatever is done with each of them keeps an emergency waiting that comes last.
 * What is urgent waits for no slice. It passes the others, unless some may be of its own subject: since places are
 * numbered as they are taken, those are begun before it, and so it knows what it ends.
 */
class Burst {
  #count = 0;
  #countsUntil = Number.NEGATIVE_INFINITY;
  #isTurnWatched = false;
  readonly #waiting = new Set<Waiting>();
  /** What the subjects of those that wait are called, and maybe of some that waited. */
  readonly #families = new Set<string>();
  #isBeginning = false;
  #isScheduled = false;

  /**
   * Begins a message, at once or in its slice.
   * @param now of the monotonic clock
   * @param operation not an urgent one; undefined where it asks for nothing known
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
   * Begins all that came before a message that waits for no slice, and that it may not pass. Urgent messages, messages
   * that read the context, and messages of no action node (alerts, auto-stops, sites) wait for no slice. Only the
   * urgent ones pass others: the context holds something else by the time that a later message has run.
   */
  beginBefore(operation: Pick<Operation, 'deviceOutput' | 'urgent'> | undefined): void {
    if (this.#waiting.size === 0 || this.#isBeginning) return;
    const passes = operation?.urgent && !this.#families.has(operation.deviceOutput?.name ?? '');
    if (!passes) this.#begin(Number.POSITIVE_INFINITY);
  }

  /** Those of this turn; where there are few, those of a short while. */
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

/** Those of all nodes, since what two of them send to one device has an order. */
export const burst = new Burst();
