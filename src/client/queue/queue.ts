import { localized } from '../../catalogue/localized-message';
import type { Clock } from '../../time/clock';
import { DeadlineTimer } from '../../time/deadline-timer';
import { abortBudget } from '../../time/turn-budget';
import { Failure } from '../failure';
import {
  type Abort,
  type ConnectionName,
  type DeviceOutput,
  EntryList,
  noEntries,
  type OutputQueue,
  outranks,
  QueueEntry,
  type QueuePolicy,
  QueueUser,
  type Rank,
  superseded,
} from './entry';
import { goesBefore, OutputQueues } from './output-queues';

/**
 * The calls that wait between two tries. Each call keeps its place in the queue but gives up its connection.
 * All times are on the monotonic clock, in milliseconds.
 */
class RetryWaitlist {
  #entries: Set<QueueEntry> | undefined;

  [Symbol.iterator](): Iterator<QueueEntry> {
    return (this.#entries ?? new Set<QueueEntry>())[Symbol.iterator]();
  }

  nextWakeUp(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    if (!this.#entries) return next;
    for (const { retryAt } of this.#entries) if (retryAt > now) next = Math.min(next, retryAt);
    return next;
  }

  add(entry: QueueEntry, until: number): void {
    entry.retryAt = until;
    this.#entries ??= new Set();
    this.#entries.add(entry);
  }

  delete(entry: QueueEntry): boolean {
    return this.#entries?.delete(entry) === true;
  }

  has(wanted: Rank): boolean {
    if (!this.#entries) return false;
    for (const { policy } of this.#entries) if (policy.rank === wanted) return true;
    return false;
  }

  first(wanted: Rank, now: number): QueueEntry | undefined {
    let first: QueueEntry | undefined;
    if (!this.#entries) return first;
    for (const entry of this.#entries) {
      if (entry.policy.rank !== wanted || now < entry.retryAt) continue;
      entry.readyAt ??= now;
      if (!first || goesBefore(entry, first)) first = entry;
    }
    return first;
  }
}

class QueueLimit {
  #messages = 0;

  /**
   * Counts a message from its arrival, or ends its call with QUEUE_FULL if too many messages wait. The
   * message that has its turn does not wait. While a poll or an urgent call holds the ordinary connection,
   * there is no such message.
   * @param holder the entry that uses the ordinary connection
   */
  take(entry: QueueEntry, holder: QueueEntry | undefined): void {
    if (entry.policy.rank !== 'ordinary') return;
    const underWay = holder && holder.policy.rank !== 'ordinary' ? 0 : 1;
    const { maxWaiting } = entry.user;
    if (this.#messages >= maxWaiting + underWay) {
      entry.abort.abort(Failure.own('QUEUE_FULL', localized('waits', { count: String(maxWaiting) })));
      return;
    }
    entry.isCounted = true;
    this.#messages += 1;
  }

  release(entry: QueueEntry): void {
    if (!entry.isCounted) return;
    entry.isCounted = false;
    this.#messages -= 1;
  }
}

/**
 * Maximum time that a stop waits for a running start of its device output, in milliseconds, since the device
 * might hang. Also the maximum time that starts wait for an announced entry that has no `maxReadMs`.
 */
const maxStopWaitMs = 2_000;

/** Maximum time that an urgent call waits while both connections are in use by lesser calls, in milliseconds. */
const maxBusyMs = 2_000;

/**
 * The queue of all calls to one device, from all users of the device (docs/contract.md 2.5). The calls of one
 * device output keep the order of their messages. A stop removes earlier waiting starts of its device output,
 * and waits a limited time for a running start. Urgent calls come first, then messages in the order of
 * arrival, then polls. At most two requests are in progress, and at most one of these is not urgent. An
 * urgent request takes the ordinary connection if only the urgent connection is busy.
 */
export class Queue {
  readonly #outputQueues = new OutputQueues();
  readonly #readings = new EntryList();
  #ordinary: QueueEntry | undefined;
  #urgent: QueueEntry | undefined;
  readonly #retryWaitlist = new RetryWaitlist();
  readonly #queueLimit = new QueueLimit();
  readonly #timer: DeadlineTimer;
  #taken = 0;
  readonly defaultUser: QueueUser;
  /** Whether no entry gets its turn at the moment, because a stop is entering or a user is being closed. */
  #isHeld = false;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'after'>,
    maxWaiting?: number,
    private readonly ends = abortBudget,
  ) {
    this.defaultUser = new QueueUser(maxWaiting);
    this.#timer = new DeadlineTimer(() => this.#goOn(), clock);
  }

  /**
   * Creates an entry, numbered in the order of arrival. The caller must then call `enter` or `withdraw`.
   * Until `announce` or `enter`, the entry only counts towards the queue limit.
   */
  take(policy: QueuePolicy, abort?: Abort, user = this.defaultUser): QueueEntry {
    this.#taken += 1;
    const entry = new QueueEntry(policy, this.#taken, user, abort);
    this.#queueLimit.take(entry, this.#ordinary);
    return entry;
  }

  /**
   * Announces an entry whose parameters are still being read. For a limited time, later starts of the same
   * family wait for this entry.
   */
  announce(entry: QueueEntry, family: string): void {
    // `enter` rejects the entries of a closed user, so no other entry needs to wait.
    if (entry.user.closed) return;
    entry.waitUntil = this.clock.monotonic() + (entry.policy.maxReadMs ?? maxStopWaitMs);
    this.#outputQueues.of({ family, name: family }).announced.insert(entry);
    this.#timer.set(entry.waitUntil);
  }

  withdraw(entry: QueueEntry): void {
    this.#queueLimit.release(entry);
    if (!entry.list) return;
    entry.list.remove(entry);
    this.#goOn();
  }

  /**
   * Enters the queue and waits for the turn of the entry. After the turn, the caller must call `leave`.
   * @returns undefined if the turn came immediately, otherwise a promise of the turn
   * @throws Failure SUPERSEDED, EXPIRED or the reason of the abort; a rejection if the caller was already
   * waiting
   */
  enter(entry: QueueEntry, deviceOutput?: DeviceOutput): Promise<void> | undefined {
    const { abort } = entry;
    entry.list?.remove(entry);
    entry.outputQueue = deviceOutput && this.#outputQueues.of(deviceOutput);
    if (entry.user.closed) abort.abort(entry.user.closed);
    if (entry.outputQueue?.isSuperseded(entry)) abort.abort(superseded(entry));
    if (entry.policy.yields && entry.outputQueue?.isWanted)
      abort.abort(Failure.own('ABORTED', localized('startWaits')));
    if (!abort.reason) this.#letIn(entry);
    this.#goOn();
    if (entry.connectionName) return undefined;
    if (abort.reason) {
      this.#queueLimit.release(entry);
      throw abort.reason;
    }
    return new Promise((resolve, reject) => {
      entry.onTurn = resolve;
      abort.setListener((reason) => {
        this.#queueLimit.release(entry);
        reject(reason);
        // The code that removed the entry from its list calls `#goOn` once: thousands of nested calls would
        // overflow the stack.
        if (!entry.list) return;
        entry.list.remove(entry);
        this.#goOn();
      });
    });
  }

  /**
   * Gives up the turn of a call before a retry, and waits until the call has its turn again. During the
   * pause, polls and urgent calls can have their turn. If the call is a start, a later stop of the same
   * device output ends the call.
   * @param until end of the pause, in milliseconds on the monotonic clock
   * @throws Failure with which the call was aborted
   */
  async pauseForRetry(entry: QueueEntry, until: number): Promise<void> {
    const { abort } = entry;
    if (abort.reason) throw abort.reason;
    this.#releaseConnection(entry);
    this.#retryWaitlist.add(entry, until);
    await new Promise<void>((resolve, reject) => {
      entry.onTurn = resolve;
      abort.setListener((reason) => {
        this.#retryWaitlist.delete(entry);
        reject(reason);
      });
      this.#goOn();
    });
  }

  /**
   * Gives up the turn of a call as for a retry, until `ready` resolves.
   * @throws Failure with which the call was aborted, or the reason of `ready`
   */
  async pauseUntil<T>(entry: QueueEntry, ready: Promise<T>): Promise<T> {
    const paused = this.pauseForRetry(entry, Number.POSITIVE_INFINITY);
    const resumed = ready.then((value) => {
      if (this.#retryWaitlist.delete(entry)) {
        this.#retryWaitlist.add(entry, this.clock.monotonic());
        this.#goOn();
      }
      return value;
    });
    const [value] = await Promise.all([resumed, paused]);
    return value;
  }

  /** @param happened whether the request took effect or might have taken effect */
  leave(entry: QueueEntry, happened: boolean): void {
    const { outputQueue } = entry;
    this.#queueLimit.release(entry);
    this.#retryWaitlist.delete(entry);
    this.#releaseConnection(entry);
    if (outputQueue) {
      outputQueue.recordTurnEnd(entry, happened);
      if (!entry.policy.isStop && !outputQueue.isStarting)
        this.#resendStop(outputQueue, entry.user, happened);
    }
    this.#goOn();
    if (!this.#isServing(entry.user)) entry.user.onIdle?.();
  }

  /** Rejects all current and future calls of one user. Resolves when no call of this user is in progress. */
  async close(reason: Failure, user = this.defaultUser): Promise<void> {
    user.closed = reason;
    this.#timer.clear();
    this.#isHeld = true;
    for (const entry of this.#all()) if (entry.user === user) this.#refuse(entry, reason);
    this.#isHeld = false;
    this.#goOn();
    if (!this.#isServing(user)) return;
    await new Promise<void>((resolve) => {
      user.onIdle = resolve;
    });
  }

  #all(): QueueEntry[] {
    const underWay = [this.#ordinary, this.#urgent].filter((entry) => entry !== undefined);
    return [...underWay, ...this.#retryWaitlist, ...this.#outputQueues, ...this.#readings];
  }

  /** The call of an announced entry does not end now, but when the entry enters the queue. */
  #refuse(entry: QueueEntry, reason: Failure): void {
    if (!entry.list) {
      entry.abort.abort(reason);
      return;
    }
    entry.list.remove(entry);
    this.ends.spend(() => entry.abort.abort(reason));
  }

  #isServing(user: QueueUser): boolean {
    return this.#ordinary?.user === user || this.#urgent?.user === user;
  }

  #releaseConnection(entry: QueueEntry): void {
    if (this.#urgent === entry) this.#urgent = undefined;
    if (this.#ordinary === entry) this.#ordinary = undefined;
    entry.connectionName = undefined;
  }

  #letIn(entry: QueueEntry): void {
    const { outputQueue, policy } = entry;
    entry.waitUntil = Number.NEGATIVE_INFINITY;
    if (!outputQueue) entry.readyAt = this.clock.monotonic();
    if (outputQueue && policy.isStop) this.#supersedeStarts(outputQueue, entry);
    if (outputQueue && policy.overtakes) this.#overtakeStarts(outputQueue, entry);
    if (policy.rank === 'reading') this.#readings.insert(entry);
    else (outputQueue ?? this.#outputQueues.withoutOutput)[policy.rank].insert(entry);
  }

  /** Afterwards, none of the earlier starts can come after the start that overtakes them. */
  #overtakeStarts(outputQueue: OutputQueue, entry: QueueEntry): void {
    this.#isHeld = true;
    for (const start of outputQueue.startsBefore(entry.number))
      if (start.policy.rank !== 'urgent') this.#refuse(start, superseded(start));
    this.#isHeld = false;
  }

  /** The stop waits up to `maxStopWaitMs` for a start that cannot be withdrawn. */
  #supersedeStarts(outputQueue: OutputQueue, entry: QueueEntry): void {
    this.#isHeld = true;
    for (const start of outputQueue.startsBefore(entry.number)) start.abort.abort(superseded(start));
    this.#isHeld = false;
    // A yielding stop never supersedes a start that enters later, not even a start with a lower number.
    if (!entry.policy.yields) outputQueue.lastStop = Math.max(outputQueue.lastStop, entry.number);
    if (outputQueue.isStarting) entry.waitUntil = this.clock.monotonic() + maxStopWaitMs;
  }

  /**
   * Sends the last early stop again, after the end of the start that the stop overtook, unless the start had
   * no effect.
   * @param user the user of the start, which sends the stop if the stop's own user is closed
   */
  #resendStop(outputQueue: OutputQueue, user: QueueUser, happened: boolean): void {
    if (outputQueue.earlyStops.length === 0) return;
    // The caller of an aborted stop already knows that the stop was not carried out, so the stop must not be
    // sent.
    const last = outputQueue.earlyStops.findLast(({ abort }) => !abort.reason);
    outputQueue.earlyStops = noEntries;
    const open = [last?.user, user].find((one) => one && !one.closed);
    if (!last || !open || !happened) return;
    // The stop was sent in time, so its repetition must not expire.
    const policy = { ...last.policy, expiresAt: Number.POSITIVE_INFINITY };
    last.resend?.(new QueueEntry(policy, last.number, open));
  }

  #goOn(): void {
    if (this.#isHeld) return;
    const now = this.clock.monotonic();
    for (;;) {
      this.#outputQueues.dropLate(now);
      const urgent = this.#urgent && this.#ordinary ? undefined : this.#firstUrgent(now);
      if (urgent) this.#give(urgent, this.#urgent ? 'ordinary' : 'urgent');
      const ordinary = this.#ordinary ? undefined : this.#firstOrdinary(now);
      if (ordinary) this.#give(ordinary, 'ordinary');
      if (!urgent && !ordinary) break;
    }
    this.#giveUpForUrgent(now);
    this.#timer.set(Math.min(this.#outputQueues.nextWakeUp(now), this.#retryWaitlist.nextWakeUp(now)));
  }

  /**
   * If both connections are in use, gives up the exchange of a lesser call for an urgent call that has waited
   * for `maxBusyMs`. Waits again after that: the lesser call might have no request at the socket yet.
   */
  #giveUpForUrgent(now: number): void {
    if (!this.#ordinary || !this.#urgent) return;
    const holders = [this.#ordinary, this.#urgent];
    const first = this.#firstUrgent(now);
    if (first?.readyAt === undefined) return;
    if (now >= first.readyAt + maxBusyMs) {
      first.readyAt = now;
      const isLesser = ({ policy, abort }: QueueEntry) => abort.giveUp && outranks(first.policy, policy);
      const lesser = holders.find(isLesser);
      // First lets the event loop read the sockets: after a blockage, an answer might be there.
      this.clock.after(0, () => {
        if (first.readyAt === now && !first.abort.reason) lesser?.abort.giveUp?.();
      });
    }
    this.#timer.set(first.readyAt + maxBusyMs);
  }

  #firstUrgent(now: number): QueueEntry | undefined {
    const first = this.#outputQueues.firstUrgent(now);
    const rested = this.#retryWaitlist.first('urgent', now);
    return rested && (!first || goesBefore(rested, first)) ? rested : first;
  }

  /**
   * Returns the next entry for the ordinary connection: the earliest message, otherwise a poll. Undefined if
   * the device output blocks the earliest message, since messages do not overtake each other. While a message
   * waits for its retry, polls can have their turn.
   */
  #firstOrdinary(now: number): QueueEntry | undefined {
    if (this.#retryWaitlist.has('ordinary'))
      return this.#retryWaitlist.first('ordinary', now) ?? this.#readings.first;
    const first = this.#outputQueues.firstOrdinary;
    if (!first) return this.#readings.first;
    return first.outputQueue?.isFree(first, now) === false ? undefined : first;
  }

  #give(entry: QueueEntry, connectionName: ConnectionName): void {
    const { abort, policy, outputQueue } = entry;
    const isBack = this.#retryWaitlist.delete(entry);
    entry.list?.remove(entry);
    abort.setListener(undefined);
    entry.connectionName = connectionName;
    entry.readyAt = undefined;
    if (connectionName === 'urgent') this.#urgent = entry;
    else this.#ordinary = entry;
    if (outputQueue && !isBack) {
      if (policy.isStop && outputQueue.isStarting)
        outputQueue.earlyStops = [...outputQueue.earlyStops, entry];
      outputQueue.underWay = [...outputQueue.underWay, entry];
    }
    entry.onTurn?.();
  }
}
