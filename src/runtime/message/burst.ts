import type { Operation } from '../../catalogue/operation';

/**
 * Maximum number of messages that start immediately in one turn of the event loop. Further messages wait for
 * a slice.
 */
const maxAtOnce = 200;

/**
 * Limits of a slice, the messages that start together in a later turn of the event loop: number of messages,
 * and time in milliseconds.
 */
const eachTurn = 100;
const sliceMs = 10;

/**
 * From this number of messages within `shortlyMs` milliseconds, messages are counted for each turn of the
 * event loop.
 */
const countPerTurnFrom = 20;
const shortlyMs = 5;

interface BeginningCommand {
  readonly operation: Pick<Operation, 'deviceOutput'> | undefined;
  readonly isUrgent: boolean;
}

interface Waiting {
  begin(): void;
}

/**
 * Spreads a burst of messages over several turns of the event loop, so that an urgent message does not wait
 * for all other messages. If a waiting message might use the device output of an urgent message, all waiting
 * messages start first: a stop must know the earlier starts.
 */
class Burst {
  #count = 0;
  #countsUntil = Number.NEGATIVE_INFINITY;
  #isTurnWatched = false;
  readonly #waiting = new Set<Waiting>();
  readonly #families = new Set<string>();
  #isBeginning = false;
  #isScheduled = false;

  /**
   * Starts a message: immediately if no message waits and the turn has room, otherwise in a later slice.
   * @param now time in milliseconds on the monotonic clock
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
   * Starts all waiting messages, unless the operation is urgent and no waiting message might use its device
   * output.
   * @param command absent when a node closes; its operation is undefined if it is unknown
   */
  beginBefore(command?: BeginningCommand): void {
    if (this.#waiting.size === 0 || this.#isBeginning) return;
    const passes = command?.isUrgent && !this.#families.has(command.operation?.deviceOutput?.name ?? '');
    if (!passes) this.#begin(Number.POSITIVE_INFINITY);
  }

  #countOne(now: number): void {
    if (now >= this.#countsUntil) {
      this.#countsUntil = now + shortlyMs;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count < countPerTurnFrom || this.#isTurnWatched) return;
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

/** One burst for all nodes, since messages of different nodes to one device must also keep their order. */
export const burst = new Burst();
