import { localized } from '../../catalogue/localized-message';
import type { Clock } from '../../kernel/time/clock';
import { DeadlineTimer } from '../../kernel/time/deadline-timer';
import { abortBudget } from '../../kernel/time/turn-budget';
import { Failure } from '../failure';
import {
  type Abort,
  type ConnectionName,
  type DeviceOutput,
  goesBefore,
  OutputQueue,
  outranks,
  QueueEntry,
  type QueuePolicy,
  QueueUser,
  superseded,
} from './entry';

/**
 * Maximum time that a stop waits for a running start of its device output, in milliseconds, since the device
 * might hang. Also the maximum time that starts wait for an announced entry that has no `maxReadMs`.
 */
const maxStopWaitMs = 2_000;

/** Maximum time that an urgent call waits while both connections are in use by lesser calls, in milliseconds. */
const maxBusyMs = 2_000;

/** Maximum time that a close waits for the answers of rolling messages, in milliseconds. */
const maxFinishMs = 5_000;

/**
 * The queue of all calls to one device, from all users of the device (docs/contract.md 2.5). The calls of one
 * device output keep the order of their messages. A stop removes earlier waiting starts of its device output,
 * and waits a limited time for a running start. Urgent calls come first, then messages in the order of
 * arrival, then polls. At most two requests are in progress, and at most one of these is not urgent. An
 * urgent request takes the ordinary connection if only the urgent connection is busy.
 */
export class Queue {
  /** In a list instead of a Map, since a device has few outputs. */
  #outputQueues: readonly OutputQueue[] = [];
  readonly #withoutOutput = this.#outputQueueOf({ family: '', name: '' });
  readonly #readings: QueueEntry[] = [];
  #ordinary: QueueEntry | undefined;
  #urgent: QueueEntry | undefined;
  /** The calls that wait between two tries. Each call keeps its place in the queue but gives up its connection. */
  readonly #resting = new Set<QueueEntry>();
  readonly #timer: DeadlineTimer;
  #taken = 0;
  /** Number of the messages that count towards the queue limit, from their arrival to their end. */
  #counted = 0;
  readonly defaultUser: QueueUser;

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
   * Until `announce` or `enter`, the entry only counts towards the queue limit. If too many messages wait, the
   * call of the entry ends with QUEUE_FULL.
   */
  take(
    policy: QueuePolicy,
    abort?: Abort,
    user = this.defaultUser,
    since = this.clock.monotonic(),
  ): QueueEntry {
    this.#taken += 1;
    const entry = new QueueEntry(policy, this.#taken, user, since, abort);
    if (policy.rank !== 'ordinary') return entry;
    // The message that has its turn does not wait. There is none while another call has the ordinary connection.
    const underWay = this.#ordinary && this.#ordinary.policy.rank !== 'ordinary' ? 0 : 1;
    const { maxWaiting } = user;
    entry.isCounted = this.#counted < maxWaiting + underWay;
    if (entry.isCounted) this.#counted += 1;
    else entry.abort.abort(Failure.own('QUEUE_FULL', localized('waits', { count: String(maxWaiting) })));
    return entry;
  }

  /**
   * Announces an entry whose parameters are still being read. For a limited time, later starts of the same
   * family wait for this entry.
   */
  announce(entry: QueueEntry, family: string): void {
    // `enter` rejects the entry, so no other entry needs to wait.
    if (entry.user.closed || entry.abort.reason) return;
    const { announced } = this.#outputQueueOf({ family, name: family });
    entry.join(announced, this.clock.monotonic() + (entry.policy.maxReadMs ?? maxStopWaitMs));
  }

  withdraw(entry: QueueEntry): void {
    this.#uncount(entry);
    if (!entry.list) return;
    entry.leaveList();
    this.#goOn();
  }

  /** Ends a start that has not entered yet, if a later stop has superseded the start. */
  endIfSuperseded(entry: QueueEntry, deviceOutput: DeviceOutput): void {
    if (this.#outputQueueOf(deviceOutput).isStoppedAfter(entry)) entry.abort.abort(superseded(entry));
  }

  /**
   * Enters the queue and waits for the turn of the entry. After the turn, the caller must call `leave`.
   * @returns undefined if the turn came immediately, otherwise a promise of the turn
   * @throws Failure SUPERSEDED, EXPIRED or the reason of the abort; a rejection if the caller was already
   * waiting
   */
  enter(entry: QueueEntry, deviceOutput?: DeviceOutput): Promise<void> | undefined {
    const { abort } = entry;
    entry.leaveList();
    entry.outputQueue = deviceOutput && this.#outputQueueOf(deviceOutput);
    if (entry.user.closed) abort.abort(entry.user.closed);
    if (entry.outputQueue?.isSuperseded(entry)) abort.abort(superseded(entry));
    if (entry.policy.yields && entry.outputQueue?.isWanted)
      abort.abort(Failure.own('ABORTED', localized('startWaits')));
    if (!abort.reason) this.#letIn(entry);
    this.#goOn();
    if (entry.connectionName) return undefined;
    if (abort.reason) {
      this.#uncount(entry);
      throw abort.reason;
    }
    return new Promise((resolve, reject) => {
      entry.onTurn = resolve;
      abort.setListener((reason) => {
        this.#uncount(entry);
        reject(reason);
        // The code that removed the entry from its list calls `#goOn` once: thousands of nested calls would
        // overflow the stack.
        if (!entry.list) return;
        entry.leaveList();
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
    entry.retryAt = until;
    this.#resting.add(entry);
    await new Promise<void>((resolve, reject) => {
      entry.onTurn = resolve;
      abort.setListener((reason) => {
        this.#resting.delete(entry);
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
      entry.retryAt = this.clock.monotonic();
      this.#goOn();
      return value;
    });
    const [value] = await Promise.all([resumed, paused]);
    return value;
  }

  /** @param happened whether the request took effect or might have taken effect */
  leave(entry: QueueEntry, happened: boolean): void {
    const { outputQueue } = entry;
    this.#uncount(entry);
    this.#resting.delete(entry);
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
    const underWay = [this.#ordinary, this.#urgent, ...this.#resting];
    const waiting = [...this.#outputQueues.flatMap(({ lists }) => lists.flat()), ...this.#readings];
    const own = [...underWay, ...waiting].filter((entry) => entry?.user === user) as QueueEntry[];
    const finishing = own.filter(({ policy, abort }) => policy.isFinished && abort.onWire);
    for (const entry of own) if (!finishing.includes(entry)) this.#refuse(entry, reason);
    this.#goOn();
    if (!this.#isServing(user)) return;
    const cancel = this.clock.after(maxFinishMs, () => {
      for (const entry of finishing) this.#refuse(entry, reason);
    });
    await new Promise<void>((resolve) => {
      user.onIdle = resolve;
    });
    cancel();
  }

  /** Ends a call, and leaves it to the caller to call `#goOn`. An announced call ends when it enters the queue. */
  #refuse(entry: QueueEntry, reason: Failure): void {
    if (!entry.list) {
      entry.abort.abort(reason);
      return;
    }
    entry.leaveList();
    this.#uncount(entry);
    this.ends.spend(() => entry.abort.abort(reason));
  }

  #isServing(user: QueueUser): boolean {
    return this.#ordinary?.user === user || this.#urgent?.user === user;
  }

  #outputQueueOf({ family, name }: DeviceOutput): OutputQueue {
    for (const known of this.#outputQueues) if (known.name === name) return known;
    const isFamily = family === name;
    const queue = new OutputQueue(name, isFamily ? undefined : this.#outputQueueOf({ family, name: family }));
    this.#outputQueues = [...this.#outputQueues, queue];
    return queue;
  }

  #uncount(entry: QueueEntry): void {
    if (entry.isCounted) this.#counted -= 1;
    entry.isCounted = false;
  }

  #releaseConnection(entry: QueueEntry): void {
    if (this.#urgent === entry) this.#urgent = undefined;
    if (this.#ordinary === entry) this.#ordinary = undefined;
    entry.connectionName = undefined;
  }

  #letIn(entry: QueueEntry): void {
    const { outputQueue, policy } = entry;
    if (!outputQueue) entry.readyAt = this.clock.monotonic();
    if (outputQueue) this.#supersedeStarts(outputQueue, entry);
    if (policy.rank === 'reading') entry.join(this.#readings);
    else entry.join((outputQueue ?? this.#withoutOutput)[policy.rank]);
  }

  /**
   * Removes the earlier starts that a stop ends, or that a start of an alert overtakes. A stop then waits up to
   * `maxStopWaitMs` for a start that cannot be withdrawn.
   */
  #supersedeStarts(outputQueue: OutputQueue, entry: QueueEntry): void {
    const { isStop, overtakes, yields } = entry.policy;
    if (!isStop && !overtakes) return;
    for (const start of outputQueue.startsBefore(entry))
      if (isStop || start.policy.rank !== 'urgent') this.#refuse(start, superseded(start));
    if (!isStop) return;
    // A yielding stop never supersedes a start that enters later, not even a start with a lower number.
    if (!yields) outputQueue.recordStop(entry);
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
    outputQueue.earlyStops = [];
    const open = [last?.user, user].find((one) => one && !one.closed);
    if (!last || !open || !happened) return;
    // The stop was sent in time, so its repetition must not expire.
    const policy = { ...last.policy, expiresAt: Number.POSITIVE_INFINITY };
    last.resend?.(new QueueEntry(policy, last.number, open, last.since));
  }

  #goOn(): void {
    const now = this.clock.monotonic();
    for (;;) {
      this.#dropLate(now);
      const urgent = this.#urgent && this.#ordinary ? undefined : this.#firstUrgent(now);
      if (urgent) this.#give(urgent, this.#urgent ? 'ordinary' : 'urgent');
      const ordinary = this.#ordinary ? undefined : this.#firstOrdinary(now);
      if (ordinary) this.#give(ordinary, 'ordinary');
      if (!urgent && !ordinary) break;
    }
    this.#giveUpForUrgent(now);
    this.#timer.set(this.#nextWakeUp(now));
  }

  /**
   * Ends expired entries with EXPIRED, and removes announced entries whose parameters take too long; both only
   * at the front of a list.
   */
  #dropLate(now: number): void {
    for (const { lists, announced } of this.#outputQueues) {
      for (const list of lists) {
        for (let first = list[0]; first && now >= first.leavesAt; first = list[0]) {
          first.leaveList();
          if (list !== announced) first.abort.abort(Failure.own('EXPIRED', localized('tooLate')));
        }
      }
    }
  }

  /** Returns the next time at which an entry leaves its list, ends its wait, or is tried again. */
  #nextWakeUp(now: number): number {
    const moments: (number | undefined)[] = [];
    for (const { lists, urgent } of this.#outputQueues) {
      for (const list of lists) moments.push(list[0]?.leavesAt);
      moments.push(urgent[0]?.waitUntil);
    }
    for (const { retryAt } of this.#resting) moments.push(retryAt);
    let next = Number.POSITIVE_INFINITY;
    for (const moment of moments) if (moment !== undefined && moment > now && moment < next) next = moment;
    return next;
  }

  /**
   * If both connections are in use, gives up the exchange of a lesser call for an urgent call that has waited
   * for `maxBusyMs`. Waits again after that: the lesser call might have no request at the socket yet.
   */
  #giveUpForUrgent(now: number): void {
    if (!this.#ordinary || !this.#urgent) return;
    const first = this.#firstUrgent(now);
    if (first?.readyAt === undefined) return;
    if (now >= first.readyAt + maxBusyMs) {
      first.readyAt = now;
      // First lets the event loop read the sockets: after a blockage, an answer might be there.
      this.clock.after(0, () => {
        if (first.readyAt !== now || first.abort.reason) return;
        const lesser = [this.#ordinary, this.#urgent].find(
          (holder) => holder?.abort.giveUp && outranks(first.policy, holder.policy),
        );
        lesser?.abort.giveUp?.();
      });
    }
    this.#timer.set(first.readyAt + maxBusyMs);
  }

  #firstUrgent(now: number): QueueEntry | undefined {
    let first: QueueEntry | undefined;
    for (const entry of this.#readyUrgent(now)) {
      entry.readyAt ??= now;
      if (!first || goesBefore(entry, first)) first = entry;
    }
    return first;
  }

  *#readyUrgent(now: number): Generator<QueueEntry> {
    for (const queue of this.#outputQueues) {
      const entry = queue.urgent[0];
      if (entry && queue.isFree(entry, now)) yield entry;
    }
    for (const entry of this.#resting)
      if (entry.policy.rank === 'urgent' && now >= entry.retryAt) yield entry;
  }

  /**
   * Returns the next entry for the ordinary connection: the earliest message, otherwise a poll. Undefined if
   * the device output blocks the earliest message, since messages do not overtake each other. While a message
   * waits for its retry, polls can have their turn.
   */
  #firstOrdinary(now: number): QueueEntry | undefined {
    for (const entry of this.#resting) {
      if (entry.policy.rank === 'ordinary') return now >= entry.retryAt ? entry : this.#firstReading(now);
    }
    let first: QueueEntry | undefined;
    for (const { ordinary } of this.#outputQueues) {
      const entry = ordinary[0];
      if (entry && (!first || entry.number < first.number)) first = entry;
    }
    if (!first) return this.#firstReading(now);
    return first.outputQueue?.isFree(first, now) === false ? undefined : first;
  }

  /** Returns the next poll; a poll that has paused for its retry first. */
  #firstReading(now: number): QueueEntry | undefined {
    for (const entry of this.#resting)
      if (entry.policy.rank === 'reading' && now >= entry.retryAt) return entry;
    return this.#readings[0];
  }

  #give(entry: QueueEntry, connectionName: ConnectionName): void {
    const { abort, policy, outputQueue } = entry;
    const isBack = this.#resting.delete(entry);
    entry.leaveList();
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
