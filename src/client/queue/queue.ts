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

/** Calls that wait between two tries. Each keeps its order, and has no connection meanwhile. */
class RetryWaitlist {
  /** Made by the first one: at most devices nobody ever rests. */
  #places: Set<QueueEntry> | undefined;

  [Symbol.iterator](): Iterator<QueueEntry> {
    return (this.#places ?? new Set<QueueEntry>())[Symbol.iterator]();
  }

  /** When the next of them has rested long enough; infinite for never. */
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

  /** Returns whether it was one of them. */
  delete(place: QueueEntry): boolean {
    return this.#places?.delete(place) === true;
  }

  has(wanted: Rank): boolean {
    if (!this.#places) return false;
    for (const { claim } of this.#places) if (claim.rank === wanted) return true;
    return false;
  }

  /** The earliest of those that have rested long enough. */
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

/** How many messages may wait at a device. Urgent ones and readings do not count. */
class QueueLimit {
  #messages = 0;

  /**
   * Counts a message from its arrival, or ends it where too many wait.
   * @param holder who has the ordinary connection: a message does not wait, and while there is none, one will not
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

  /** The message waits no more, however often this is said. */
  release(place: QueueEntry): void {
    if (!place.isCounted) return;
    place.isCounted = false;
    this.#messages -= 1;
  }
}

/**
 * How long a stop waits for a start of its device output that is under way, in milliseconds: a stop must not wait for
 * a device that hangs. A stop that passed such a start is sent again when the start ends.
 */
const patienceMs = 2_000;

/**
 * The order of all calls to one device (docs/contract.md 2.5), by whichever of its names they come. Calls of one
 * subject reach it in the order of their messages. What ends a subject takes out the starts that wait, waits for one under way, and passes
 * everything else; so does what is urgent. Then come messages in the order of their arrival, then readings. At
 * most one ordinary request and one urgent one are under way; an urgent one takes the ordinary connection where
 * that is free and its own is not.
 *
 * Nothing in here sends, and the clock is given. What a call costs does not depend on how many wait.
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
  /** The device's only name, unless a call brings another one. */
  readonly only: QueueUser;
  /** A stop is being let in: nobody gets a turn meanwhile. */
  #isHeld = false;

  /** @param maxWaiting so many messages may wait, where the device has one name */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'after'>,
    maxWaiting?: number,
  ) {
    this.only = new QueueUser(maxWaiting);
    this.#timer = new DeadlineTimer(() => this.#goOn(), clock);
  }

  /**
   * Takes the next place in the order of arrival. Who took one lets it enter or withdraws it; the order knows it
   * once it is announced or has entered.
   */
  take(claim: QueuePolicy, abort?: Abort, user = this.only): QueueEntry {
    this.#taken += 1;
    const place = new QueueEntry(claim, this.#taken, user, abort);
    this.#bound.take(place, this.#ordinary);
    return place;
  }

  /**
   * Keeps a place whose parameters are still being read, and its subject with them: for a while no later start
   * of the family passes it.
   */
  announce(place: QueueEntry, family: string): void {
    // Nobody need wait for what is refused when it enters.
    if (place.user.closed) return;
    place.waitUntil = this.clock.monotonic() + patienceMs;
    this.#lines.of({ family, name: family }).announced.insert(place);
    this.#timer.set(place.waitUntil);
  }

  /** Gives up a place that has not entered. */
  withdraw(place: QueueEntry): void {
    this.#bound.release(place);
    if (!place.list) return;
    place.list.remove(place);
    this.#goOn();
  }

  /**
   * Waits for the turn of a place. Who got it calls `leave` when done.
   * @returns undefined when the turn came at once, else what to wait for
   * @throws Failure SUPERSEDED, EXPIRED or the abort's reason, also as a rejection when it comes while waiting
   */
  enter(place: QueueEntry, subject?: DeviceOutput): Promise<void> | undefined {
    const { abort } = place;
    place.list?.remove(place);
    place.line = subject && this.#lines.of(subject);
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
        // Whoever took it out goes on by itself: with thousands, one inside the other would end the stack.
        if (!place.list) return;
        place.list.remove(place);
        this.#goOn();
      });
    });
  }

  /**
   * Gives up the turn of a call that is to be tried again, and waits until it has it back. It keeps its order:
   * what came later waits all the same. Readings and what is urgent may go meanwhile, and what ends its subject
   * takes it out.
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
   * Gives the turn to the next one.
   * @param happened the device did what was asked, or may have
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

  /** Refuses whatever one name has here and brings. Resolves when nothing of that is under way any more. */
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

  /** One whose parameters are still being read is told when it enters. */
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
    else (line ?? this.#lines.noSubject)[claim.rank].insert(place);
  }

  /** Takes out the starts that this one ends, and lets it wait for one that cannot be taken out. */
  #end(line: OutputQueue, place: QueueEntry): void {
    this.#isHeld = true;
    for (const start of line.startsBefore(place.number)) start.abort.abort(superseded(start));
    this.#isHeld = false;
    // What yields ends none that come after it, whatever their number: their parameters may take long.
    if (!place.claim.yields) line.lastEnd = Math.max(line.lastEnd, place.number);
    if (line.isStarting) place.waitUntil = this.clock.monotonic() + patienceMs;
  }

  /**
   * A start that was overtaken has ended, and what it was to be ended by with it or not.
   * @param user of the start: once more is done for it, also where the name of the end is gone
   */
  #endOnceMore(line: OutputQueue, user: QueueUser, happened: boolean): void {
    // One that was given up says so to its message, and must not be sent after all.
    const last = line.earlyStops.findLast(({ abort }) => !abort.reason);
    line.earlyStops = noEntries;
    const open = [last?.user, user].find((one) => one && !one.closed);
    if (!last || !open || !happened) return;
    // It was sent in time; what it is to end must not stay on for that.
    const claim = { ...last.claim, expiresAt: Number.POSITIVE_INFINITY };
    last.again?.(new QueueEntry(claim, last.number, open));
  }

  /** Gives every turn that can be given. */
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

  /** The earliest, unless its own subject holds it up: messages do not pass each other. */
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
