import { localized } from '../../catalogue/localized-message';
import type { Clock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';
import { Failure } from '../failure';
import {
  type Abort,
  type DeviceOutput,
  EntryList,
  type LaneName,
  noEntries,
  type OutputQueue,
  QueueEntry,
  type QueuePolicy,
  QueueUser,
  type Rank,
  superseded,
} from './entry';
import { OutputQueues } from './output-queues';

/** The calls that wait between two tries. Each keeps its order and has no connection meanwhile. */
class RetryWaitlist {
  /** Created for the first retry, since most devices never need one. */
  #places: Set<QueueEntry> | undefined;

  [Symbol.iterator](): Iterator<QueueEntry> {
    return (this.#places ?? new Set<QueueEntry>())[Symbol.iterator]();
  }

  /** Returns when the next entry may retry, on the monotonic clock; infinite for never. */
  nextWakeUp(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    if (!this.#places) return next;
    for (const { restsUntil } of this.#places) if (restsUntil > now) next = Math.min(next, restsUntil);
    return next;
  }

  /** @param until on the monotonic clock */
  add(place: QueueEntry, until: number): void {
    place.restsUntil = until;
    this.#places ??= new Set();
    this.#places.add(place);
  }

  /** Returns whether the list held the entry. */
  delete(place: QueueEntry): boolean {
    return this.#places?.delete(place) === true;
  }

  has(wanted: Rank): boolean {
    if (!this.#places) return false;
    for (const { claim } of this.#places) if (claim.rank === wanted) return true;
    return false;
  }

  /** Returns the earliest entry of a rank that may retry. */
  first(wanted: Rank, now: number): QueueEntry | undefined {
    let first: QueueEntry | undefined;
    if (!this.#places) return first;
    for (const place of this.#places) {
      const isDue = place.claim.rank === wanted && now >= place.restsUntil;
      if (isDue && (!first || place.number < first.number)) first = place;
    }
    return first;
  }
}

/** The limit of messages that wait at a device. Urgent messages and polls do not count. */
class QueueLimit {
  #messages = 0;

  /**
   * Counts a message from its arrival, or ends it if too many wait.
   * @param holder the entry that has the ordinary connection. One message does not count as waiting: the one
   * that has that connection or would get it
   */
  take(place: QueueEntry, holder: QueueEntry | undefined): void {
    if (place.claim.rank !== 'ordinary') return;
    const underWay = holder && holder.claim.rank !== 'ordinary' ? 0 : 1;
    const { maxWaiting } = place.user;
    if (this.#messages >= maxWaiting + underWay) {
      place.abort.abort(Failure.own('QUEUE_FULL', localized('waits', { count: String(maxWaiting) })));
      return;
    }
    place.isCounted = true;
    this.#messages += 1;
  }

  /** Stops counting a message. Repeated calls have no effect. */
  release(place: QueueEntry): void {
    if (!place.isCounted) return;
    place.isCounted = false;
    this.#messages -= 1;
  }
}

/**
 * Maximum time that a stop waits for a running start of its device output, in milliseconds. A stop must not
 * wait for a device that hangs. A stop that passed such a start is sent again when the start ends.
 */
const patienceMs = 2_000;

/**
 * The queue of all calls to one device, for all its names (docs/contract.md 2.5). Calls of one device output
 * reach it in the order of their messages. A stop removes the waiting starts of its device output, waits for
 * a running one, and passes everything else. Urgent calls also pass. Then come messages in the order of
 * arrival, then polls. At most one ordinary and one urgent request are in progress. An urgent request takes
 * the ordinary connection if the urgent one is busy and the ordinary one is free.
 *
 * The queue sends nothing, and its clock is injected. The cost of a call does not depend on the length of the
 * queue.
 */
export class Queue {
  readonly #lines = new OutputQueues();
  readonly #readings = new EntryList();
  #ordinary: QueueEntry | undefined;
  #urgent: QueueEntry | undefined;
  readonly #resting = new RetryWaitlist();
  readonly #bound = new QueueLimit();
  readonly #timer: DeadlineTimer;
  #taken = 0;
  /** The default user, for a device with one name. */
  readonly only: QueueUser;
  /** Whether a stop is being entered or a user closed: no turn is given meanwhile. */
  #isHeld = false;

  /** @param maxWaiting queue limit of a device with one name */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'after'>,
    maxWaiting?: number,
  ) {
    this.only = new QueueUser(maxWaiting);
    this.#timer = new DeadlineTimer(() => this.#goOn(), clock);
  }

  /**
   * Creates the next entry in the order of arrival. The caller must `enter` or `withdraw` it. The queue
   * ignores the entry until it is announced or entered.
   */
  take(claim: QueuePolicy, abort?: Abort, user = this.only): QueueEntry {
    this.#taken += 1;
    const place = new QueueEntry(claim, this.#taken, user, abort);
    this.#bound.take(place, this.#ordinary);
    return place;
  }

  /**
   * Announces an entry whose parameters are still being read. For a limited time, no later start of the same
   * family passes the entry.
   */
  announce(place: QueueEntry, family: string): void {
    // An entry of a closed user is rejected when it enters, so no entry needs to wait for it.
    if (place.user.closed) return;
    place.waitUntil = this.clock.monotonic() + patienceMs;
    this.#lines.of({ family, name: family }).announced.insert(place);
    this.#timer.set(place.waitUntil);
  }

  /** Withdraws an entry that has not entered. */
  withdraw(place: QueueEntry): void {
    this.#bound.release(place);
    if (!place.list) return;
    place.list.remove(place);
    this.#goOn();
  }

  /**
   * Waits for the turn of an entry. The caller must call `leave` when done.
   * @returns undefined if the turn came immediately, else a promise of the turn
   * @throws Failure SUPERSEDED, EXPIRED or the abort's reason, also as a rejection while waiting
   */
  enter(place: QueueEntry, deviceOutput?: DeviceOutput): Promise<void> | undefined {
    const { abort } = place;
    place.list?.remove(place);
    place.line = deviceOutput && this.#lines.of(deviceOutput);
    if (place.user.closed) abort.abort(place.user.closed);
    if (place.line?.isTooLate(place)) abort.abort(superseded(place));
    if (place.claim.yields && place.line?.isWanted)
      abort.abort(Failure.own('ABORTED', localized('startWaits')));
    if (!abort.reason) this.#letIn(place);
    this.#goOn();
    if (place.lane) return undefined;
    if (abort.reason) {
      this.#bound.release(place);
      throw abort.reason;
    }
    return new Promise((resolve, reject) => {
      place.onTurn = resolve;
      abort.tell((reason) => {
        this.#bound.release(place);
        reject(reason);
        // The caller that removed the entry calls `#goOn` itself: thousands of nested calls would overflow
        // the stack.
        if (!place.list) return;
        place.list.remove(place);
        this.#goOn();
      });
    });
  }

  /**
   * Gives up the turn of a call before a retry, and waits until the call has the turn back. The entry keeps
   * its order, so later messages wait. Polls and urgent calls may go meanwhile. A stop of the same device
   * output removes the entry.
   * @param until on the monotonic clock
   * @throws Failure as `enter` does
   */
  async rest(place: QueueEntry, until: number): Promise<void> {
    const { abort } = place;
    if (abort.reason) throw abort.reason;
    this.#giveUpLane(place);
    this.#resting.add(place, until);
    await new Promise<void>((resolve, reject) => {
      place.onTurn = resolve;
      abort.tell((reason) => {
        this.#resting.delete(place);
        reject(reason);
      });
      this.#goOn();
    });
  }

  /**
   * Ends the turn of an entry.
   * @param happened whether the request took effect or might have
   */
  leave(place: QueueEntry, happened: boolean): void {
    const { line } = place;
    this.#bound.release(place);
    this.#resting.delete(place);
    this.#giveUpLane(place);
    if (line) {
      line.noteEnd(place, happened);
      if (!place.claim.ends && !line.isStarting) this.#endOnceMore(line, place.user, happened);
    }
    this.#goOn();
    if (!this.#isServing(place.user)) place.user.onIdle?.();
  }

  /** Rejects all current and future calls of one user. Resolves when none of its calls is in progress. */
  async close(reason: Failure, user = this.only): Promise<void> {
    user.closed = reason;
    this.#timer.clear();
    this.#isHeld = true;
    for (const place of this.#all()) if (place.user === user) this.#refuse(place, reason);
    this.#isHeld = false;
    this.#goOn();
    if (!this.#isServing(user)) return;
    await new Promise<void>((resolve) => {
      user.onIdle = resolve;
    });
  }

  #all(): QueueEntry[] {
    const underWay = [this.#ordinary, this.#urgent].filter((place) => place !== undefined);
    return [...underWay, ...this.#resting, ...this.#lines, ...this.#readings];
  }

  /** An entry that is only announced learns of the rejection when it enters. */
  #refuse(place: QueueEntry, reason: Failure): void {
    place.list?.remove(place);
    place.abort.abort(reason);
  }

  #isServing(user: QueueUser): boolean {
    return this.#ordinary?.user === user || this.#urgent?.user === user;
  }

  #giveUpLane(place: QueueEntry): void {
    if (this.#urgent === place) this.#urgent = undefined;
    if (this.#ordinary === place) this.#ordinary = undefined;
    place.lane = undefined;
  }

  #letIn(place: QueueEntry): void {
    const { line, claim } = place;
    place.waitUntil = Number.NEGATIVE_INFINITY;
    if (line && claim.ends) this.#end(line, place);
    if (claim.rank === 'reading') this.#readings.insert(place);
    else (line ?? this.#lines.withoutOutput)[claim.rank].insert(place);
  }

  /** Removes the starts that a stop supersedes. If a start cannot be removed, the stop waits for it. */
  #end(line: OutputQueue, place: QueueEntry): void {
    this.#isHeld = true;
    for (const start of line.startsBefore(place.number)) start.abort.abort(superseded(start));
    this.#isHeld = false;
    // A yielding stop never supersedes a start that enters later, whatever the start's number: reading
    // parameters can take long.
    if (!place.claim.yields) line.lastEnd = Math.max(line.lastEnd, place.number);
    if (line.isStarting) place.waitUntil = this.clock.monotonic() + patienceMs;
  }

  /**
   * Sends the last early stop again after the start that it passed has ended.
   * @param user the user of the start, which sends the stop if the stop's own user is closed
   */
  #endOnceMore(line: OutputQueue, user: QueueUser, happened: boolean): void {
    // An aborted stop was reported as aborted, so it must not be sent.
    const last = line.earlyStops.findLast(({ abort }) => !abort.reason);
    line.earlyStops = noEntries;
    const open = [last?.user, user].find((one) => one && !one.closed);
    if (!last || !open || !happened) return;
    // The stop was sent in time, so its repetition must not expire.
    const claim = { ...last.claim, expiresAt: Number.POSITIVE_INFINITY };
    last.again?.(new QueueEntry(claim, last.number, open));
  }

  /** Gives turns to all entries that can have one. */
  #goOn(): void {
    if (this.#isHeld) return;
    const now = this.clock.monotonic();
    for (;;) {
      this.#lines.dropLate(now);
      const urgent = this.#urgent && this.#ordinary ? undefined : this.#firstUrgent(now);
      if (urgent) this.#give(urgent, this.#urgent ? 'ordinary' : 'urgent');
      const ordinary = this.#ordinary ? undefined : this.#firstOrdinary(now);
      if (ordinary) this.#give(ordinary, 'ordinary');
      if (!urgent && !ordinary) break;
    }
    this.#timer.set(Math.min(this.#lines.nextWakeUp(now), this.#resting.nextWakeUp(now)));
  }

  #firstUrgent(now: number): QueueEntry | undefined {
    const first = this.#lines.firstUrgent(now);
    const rested = this.#resting.first('urgent', now);
    return rested && (!first || rested.number < first.number) ? rested : first;
  }

  /** Returns the earliest entry, unless its own device output blocks it: messages do not pass each other. */
  #firstOrdinary(now: number): QueueEntry | undefined {
    if (this.#resting.has('ordinary')) return this.#resting.first('ordinary', now) ?? this.#readings.first;
    const first = this.#lines.firstOrdinary;
    if (!first) return this.#readings.first;
    return first.line?.isFree(first, now) === false ? undefined : first;
  }

  #give(place: QueueEntry, lane: LaneName): void {
    const { abort, claim, line } = place;
    const isBack = this.#resting.delete(place);
    place.list?.remove(place);
    abort.tell(undefined);
    place.lane = lane;
    if (lane === 'urgent') this.#urgent = place;
    else this.#ordinary = place;
    if (line && !isBack) {
      if (claim.ends && line.isStarting) line.earlyStops = [...line.earlyStops, place];
      line.underWay = [...line.underWay, place];
    }
    place.onTurn?.();
  }
}
