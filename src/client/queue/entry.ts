import { localized, type Text } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import { Failure } from '../failure';

/**
 * A handle that ends one call from outside. It is cheaper than an AbortController for each poll. One listener
 * is enough, since a call waits for one thing at a time, for example its turn or its answer.
 */
export class Abort {
  /**
   * Whether a request of this call is at the socket and neither answered nor failed, so that the device might
   * have the request.
   */
  onWire = false;
  wasOnWire = false;
  /** Gives up the request at the socket as after a time-out; undefined while no request is at the socket. */
  giveUp: (() => void) | undefined;
  /**
   * Requests the permission to send a command, before the first request of a try; not called for a try that
   * only reads. Resolves if permitted, and rejects with the Failure that ends the call. Undefined if no
   * permission is needed.
   */
  admission: (() => Promise<void>) | undefined;
  /** Set by `abort`: the call has ended, or ends as soon as possible. */
  reason: Failure | undefined;
  #listener: ((reason: Failure) => void) | undefined;

  abort(reason: Failure): void {
    if (this.reason) return;
    this.reason = reason;
    this.#listener?.(reason);
  }

  setListener(listener: ((reason: Failure) => void) | undefined): void {
    this.#listener = listener;
  }

  /**
   * Waits for the permission to send. Never rejects.
   * @returns undefined if permitted, otherwise the reason
   */
  admitted(): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.reason) return resolve(this.reason);
      this.setListener(resolve);
      this.admission?.().then(() => resolve(undefined), resolve);
    }).finally(() => this.setListener(undefined));
  }
}

export function whyAborted(signal: AbortSignal): Text {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'Error' ? reason.message : localized('canceled');
}

/** The priority class of a call: urgent calls first, then other messages, then polls. */
export type Rank = 'urgent' | 'ordinary' | 'reading';

export type ConnectionName = 'ordinary' | 'urgent';

export interface QueuePolicy {
  readonly rank: Rank;
  /** Whether the call is a stop, which removes earlier waiting starts of its device output. */
  readonly isStop: boolean;
  /** Whether the call is rejected if `OutputQueue.isWanted` is true when the call enters the queue. */
  readonly yields?: boolean;
  /** Whether the call, a start of an alert, removes the earlier waiting starts of lower rank at its device output. */
  readonly overtakes?: boolean;
  /**
   * Maximum time for which later calls of the family wait until the parameters of this call are read, in
   * milliseconds. The same for all calls of a family.
   */
  readonly maxReadMs?: number | undefined;
  /** Whether a close leaves a request that is under way time for its answer. */
  readonly isFinished?: boolean;
  /** Expiry in milliseconds on the monotonic clock; infinite if the call never expires. */
  readonly expiresAt: number;
}

/**
 * Whether a call that needs a connection may give up the exchange of another call: an urgent call may give up
 * the exchange of a call that is not urgent, and a stop also that of an urgent start.
 */
export function outranks(one: QueuePolicy, other: QueuePolicy): boolean {
  return weightOf(one) > weightOf(other);
}

/** Whether an urgent entry gets a connection before another urgent entry: stops come first. */
export function goesBefore(one: QueueEntry, other: QueueEntry): boolean {
  if (one.policy.isStop !== other.policy.isStop) return one.policy.isStop;
  return one.number < other.number;
}

function weightOf({ rank, isStop }: QueuePolicy): number {
  if (rank !== 'urgent') return 0;
  return isStop ? 2 : 1;
}

/** A user of a device's queue: one of the configured devices with the same address. */
export class QueueUser {
  /** The reason why new calls of this user are rejected; undefined while calls are accepted. */
  closed: Failure | undefined;
  /** Called after each call that ends while no other call of this user is in progress. */
  onIdle: (() => void) | undefined;

  /**
   * @param maxWaiting maximum number of waiting messages of all users together; a further message of this user
   * is rejected. Urgent messages and polls are not counted.
   */
  constructor(readonly maxWaiting = Number.POSITIVE_INFINITY) {}
}

export class QueueEntry {
  /** The connection that the entry uses; undefined outside its turn. */
  connectionName: ConnectionName | undefined;
  /** The list in which the entry waits, and the time at which the entry leaves this list without a turn. */
  list: QueueEntry[] | undefined;
  leavesAt = Number.POSITIVE_INFINITY;
  /**
   * The queue of the entry's device output; undefined until the parameters are known, and for a call without
   * a device output.
   */
  outputQueue: OutputQueue | undefined;
  /** End of the wait of a stop for a running start, in milliseconds on the monotonic clock. */
  waitUntil = Number.NEGATIVE_INFINITY;
  retryAt = Number.NEGATIVE_INFINITY;
  /**
   * The time since which an urgent entry lacks only a connection, in milliseconds on the monotonic clock;
   * undefined before that.
   */
  readyAt: number | undefined;
  /** Whether the entry counts towards the queue limit. */
  isCounted = false;
  /**
   * Whether the turn has sent only reads so far, for example of the device's identity, and not the command.
   */
  isReadOnlySoFar = false;
  /** Called when the turn comes; undefined if the turn came immediately. */
  onTurn: (() => void) | undefined;
  /** Sends the stop again, as a new entry; undefined for a start. */
  resend: ((entry: QueueEntry) => void) | undefined;

  constructor(
    public policy: QueuePolicy,
    readonly number: number,
    readonly user: QueueUser,
    /** Arrival of the message, in milliseconds on the monotonic clock. */
    readonly since: number,
    readonly abort = new Abort(),
  ) {}

  get mustAsk(): boolean {
    return this.abort.admission !== undefined && !this.isReadOnlySoFar;
  }

  /**
   * Whether a later stop of the same device output has entered the queue, so that this start must not be sent
   * or retried. Stops with `yields` do not count.
   */
  get isEnded(): boolean {
    return this.outputQueue?.isStoppedAfter(this) === true;
  }

  /**
   * Inserts the entry by its number. An entry whose parameters took long to read comes before entries that
   * arrived later.
   */
  join(list: QueueEntry[], leavesAt = this.policy.expiresAt): void {
    this.list = list;
    this.leavesAt = leavesAt;
    let index = list.length;
    while (isBefore(this, list[index - 1])) index -= 1;
    list.splice(index, 0, this);
  }

  /** Removes the entry from its list, if the entry is in a list. */
  leaveList(): void {
    this.list?.splice(this.list.indexOf(this), 1);
    this.list = undefined;
  }
}

/**
 * The queue of one device output: waiting and running calls, and the numbers of the last start and the last
 * stop. All times are on the monotonic clock, in milliseconds.
 */
export class OutputQueue {
  /**
   * Entries whose parameters are still being read. The family of the device output is known, but not the
   * output.
   */
  readonly announced: QueueEntry[] = [];
  readonly urgent: QueueEntry[] = [];
  readonly ordinary: QueueEntry[] = [];
  readonly lists = [this.announced, this.ordinary, this.urgent] as const;
  /**
   * The entries between the start and the end of their turn, also during the pause before a retry: at most
   * one stop and one other entry.
   */
  underWay: readonly QueueEntry[] = [];
  /** Number of the last stop that does not yield. A start with a lower number must no longer be sent. */
  #lastStop = 0;
  /** Arrival of the latest of these stops, for a start that comes from the queue of another address. */
  #lastStopSince = Number.NEGATIVE_INFINITY;
  /**
   * Number of the last start that took effect or might have taken effect. A stop with a lower number must no
   * longer be sent.
   */
  #lastStart = 0;
  /**
   * Stops that got their turn while a start was in progress. The last stop can be sent again after the start
   * ends.
   */
  earlyStops: readonly QueueEntry[] = [];

  constructor(
    readonly name: string,
    private readonly family?: OutputQueue,
  ) {}

  /** Whether the device output allows the turn of an entry that is the first of its list. */
  isFree(entry: QueueEntry, now: number): boolean {
    const { underWay } = this;
    if (entry.policy.isStop) return underWay.every(({ policy }) => !policy.isStop && now >= entry.waitUntil);
    if (underWay.length > 0 || isBefore(this.urgent[0], entry)) return false;
    return !isBefore((this.family ?? this).announced[0], entry);
  }

  /** Whether a later stop has superseded the start, or a later start has superseded the stop. */
  isSuperseded(entry: QueueEntry): boolean {
    if (!entry.policy.isStop) return entry.isEnded;
    return (
      this.#lastStart > entry.number || this.underWay.some((one) => isStart(one) && isBefore(entry, one))
    );
  }

  recordStop({ number, since }: QueueEntry): void {
    this.#lastStop = Math.max(this.#lastStop, number);
    this.#lastStopSince = Math.max(this.#lastStopSince, since);
  }

  /** Whether a stop that does not yield came later than this start. */
  isStoppedAfter({ policy, number, since }: QueueEntry): boolean {
    return !policy.isStop && (this.#lastStop > number || this.#lastStopSince > since);
  }

  recordTurnEnd(entry: QueueEntry, happened: boolean): void {
    this.underWay = this.underWay.filter((other) => other !== entry);
    if (happened && isStart(entry)) this.#lastStart = Math.max(this.#lastStart, entry.number);
  }

  get isStarting(): boolean {
    return this.underWay.some(isStart);
  }

  /**
   * Whether a start of the device output waits or is in progress, or an announced entry might start the
   * output.
   */
  get isWanted(): boolean {
    if ((this.family ?? this).announced.length > 0) return true;
    return this.isStarting || this.ordinary.some(isStart) || this.urgent.some(isStart);
  }

  /**
   * Returns the earlier starts that can still be withdrawn: waiting starts, and starts whose command is not at
   * the socket.
   */
  startsBefore(entry: QueueEntry): QueueEntry[] {
    const revocable = this.underWay.filter(({ abort, isReadOnlySoFar }) => isReadOnlySoFar || !abort.onWire);
    const starts = [...this.ordinary, ...this.urgent, ...revocable].filter(isStart);
    return starts.filter((start) => isBefore(start, entry));
  }
}

export function superseded({ policy }: QueueEntry): Failure {
  return Failure.own('SUPERSEDED', localized(policy.isStop ? 'supersededByRestart' : 'superseded'));
}

function isStart({ policy }: QueueEntry): boolean {
  return !policy.isStop;
}

function isBefore(one: QueueEntry | undefined, other: QueueEntry | undefined): boolean {
  return one !== undefined && other !== undefined && one.number < other.number;
}

/**
 * A device output that an operation starts or stops. Outputs that differ in one parameter, such as doors,
 * form a family.
 */
export interface DeviceOutput {
  readonly family: string;
  readonly name: string;
}

/**
 * Default expiry of an operation that starts a device output, in milliseconds after the arrival of its
 * message.
 */
const defaultTtlMs = 60_000;

/**
 * The `maxReadMs` of the operations with `inOrderOf`. It can be long, since no stop waits for these
 * operations. It must be long, since reading a list of 2,000 bells takes several seconds on a busy computer.
 */
const maxListReadMs = 60_000;

export interface QueueOptions {
  readonly ttlMs?: number | undefined;
  readonly yields?: boolean;
  readonly isReading?: boolean;
  /** Overrides `urgent` of the operation. */
  readonly isUrgent?: boolean;
  /** Set for a rolling message. */
  readonly rolling?: unknown;
}

type Ordered = Pick<Operation, 'urgent' | 'deviceOutput' | 'isStop' | 'inOrderOf'>;

/** @param since arrival of the message, in milliseconds on the monotonic clock */
export function queuePolicyFor(
  { urgent, deviceOutput, isStop, inOrderOf }: Ordered,
  since: number,
  { ttlMs, yields = false, isReading, isUrgent, rolling }: QueueOptions = {},
): QueuePolicy {
  const operationTtlMs = deviceOutput !== undefined && !isStop ? defaultTtlMs : Number.POSITIVE_INFINITY;
  const expiresAt = since + (ttlMs ?? operationTtlMs);
  const rank = (isUrgent ?? urgent) ? 'urgent' : 'ordinary';
  return {
    rank: isReading ? 'reading' : rank,
    isStop: isStop === true,
    yields,
    overtakes: isUrgent === true && deviceOutput !== undefined && !isStop,
    maxReadMs: inOrderOf === undefined ? undefined : maxListReadMs,
    isFinished: rolling !== undefined,
    expiresAt,
  };
}

/** Returns the family of device outputs of an operation, which is known before the parameters; undefined without one. */
export function familyOf({ deviceOutput, inOrderOf }: Ordered): string | undefined {
  return deviceOutput?.name ?? inOrderOf;
}

/**
 * Returns the device output of an operation, or a common output for the operations with the same `inOrderOf`.
 * Undefined if the operation has neither, or if the conditions of its device output do not hold.
 */
export function deviceOutputFor(
  { deviceOutput, inOrderOf }: Ordered,
  parameters: Readonly<Record<string, unknown>>,
): DeviceOutput | undefined {
  if (!deviceOutput) return inOrderOf === undefined ? undefined : { family: inOrderOf, name: inOrderOf };
  const { name: family, by, when } = deviceOutput;
  const isOther = ([name, values]: [string, readonly string[]]) => !values.includes(String(parameters[name]));
  if (when && Object.entries(when).some(isOther)) return undefined;
  return { family, name: by === undefined ? family : `${family} ${String(parameters[by])}` };
}
