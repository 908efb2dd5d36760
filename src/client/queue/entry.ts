import { localized, type Text } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import { Failure } from '../failure';

/**
 * Ends one call from outside. A call waits for one thing at a time (its turn, a connection, an answer), so one
 * listener is enough; an AbortController with its events would cost every reading more than signing it does.
 */
export class Abort {
  /** A request of this call was handed to the socket and has not been answered: the device may have it. */
  onWire = false;
  /** That was so at least once. */
  wasOnWire = false;
  /**
   * Asked before each request that does more than look is written, when all else is ready: resolves when it may be.
   * Rejects with the Failure that ends the call where it may not.
   */
  admission: (() => Promise<void>) | undefined;
  #reason: Failure | undefined;
  #listener: ((reason: Failure) => void) | undefined;

  /** Why the call is to end; undefined while it may go on. */
  get reason(): Failure | undefined {
    return this.#reason;
  }

  /** Ends the call. The first reason counts. */
  abort(reason: Failure): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#listener?.(reason);
  }

  /** Tells this listener and no other when the call is to end; nobody, when it is undefined. */
  tell(listener: ((reason: Failure) => void) | undefined): void {
    this.#listener = listener;
  }

  /**
   * Waits until the call may be written. Never rejects.
   * @returns why it may not
   */
  admitted(): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.#reason) return resolve(this.#reason);
      this.tell(resolve);
      this.admission?.().then(() => resolve(undefined), resolve);
    }).finally(() => this.tell(undefined));
  }
}

/** Why a caller's signal ended its call: in its own words, where it gave any. */
export function whyAborted(signal: AbortSignal): Text {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'Error' ? reason.message : localized('canceled');
}

/** What is urgent goes first, then what messages ask for, then what watching nodes read. */
export type Rank = 'urgent' | 'ordinary' | 'reading';

/** The two connections that a device is spoken to over. */
export type LaneName = 'ordinary' | 'urgent';

/** What the order of a call depends on, beside its subject. */
export interface QueuePolicy {
  readonly rank: Rank;
  /** It ends its subject: what waits to start it is taken out. */
  readonly ends: boolean;
  /** No message asks for it: it is not done, rather than that it takes a start out or comes after one. */
  readonly yields?: boolean;
  /** When it is too late to be sent, on the monotonic clock; infinite when it never is. */
  readonly expiresAt: number;
}

/** One of the names of a device: its calls stand in one queue with those of the device's other names. */
export class QueueUser {
  /** Why its calls are refused from now on. */
  closed: Failure | undefined;
  /** Called when none of its calls is under way any more. */
  onIdle: (() => void) | undefined;

  /** @param maxWaiting so many messages may wait, those of all names; urgent ones and readings do not count */
  constructor(readonly maxWaiting = Number.POSITIVE_INFINITY) {}
}

/** One call's place in the order of a device, from its message's arrival to its answer. */
export class QueueEntry {
  /** The connection it has, while it is its turn. */
  lane: LaneName | undefined;
  /** Where it waits; its neighbors too are kept here, so that leaving costs the same wherever it stands. */
  list: EntryList | undefined;
  previous: QueueEntry | undefined;
  next: QueueEntry | undefined;
  /** Its subject's line, once it is known. */
  line: OutputQueue | undefined;
  /** Until when it waits for what is under way, or others wait for it, on the monotonic clock. */
  waitUntil = Number.NEGATIVE_INFINITY;
  /** It waits between two tries; when it may have its turn again, on the monotonic clock. */
  restsUntil = Number.NEGATIVE_INFINITY;
  /** It is one of those that a queue's bound counts. */
  isCounted = false;
  /** In its turn it only looks so far, at who the device is for example: what it is to do was not sent. */
  isReadOnlySoFar = false;
  /** Called when its turn comes, if that is not at once. */
  onTurn: (() => void) | undefined;
  /** For what ends a subject: does it once more, at another place. */
  again: ((place: QueueEntry) => void) | undefined;

  constructor(
    readonly claim: QueuePolicy,
    /** In the order of the messages' arrival. */
    readonly number: number,
    /** Whose call it is. */
    readonly user: QueueUser,
    /** Ends its call. */
    readonly abort = new Abort(),
  ) {}

  /** Somebody else has a say in whether what it is to do may be written. */
  get mustAsk(): boolean {
    return this.abort.admission !== undefined && !this.isReadOnlySoFar;
  }

  /** It starts what a later message has ended since: it is not to be sent any more, nor once more. */
  get isEnded(): boolean {
    return !this.claim.ends && this.line !== undefined && this.line.lastEnd > this.number;
  }
}

/** Places in the order of their numbers. */
export class EntryList {
  first: QueueEntry | undefined;
  #last: QueueEntry | undefined;

  *[Symbol.iterator](): Generator<QueueEntry> {
    for (let place = this.first; place; place = place.next) yield place;
  }

  /** Mostly at the end; before those whose messages came later, when its own took longer to be read. */
  insert(place: QueueEntry): void {
    let previous = this.#last;
    while (previous && previous.number > place.number) previous = previous.previous;
    const next = previous ? previous.next : this.first;
    place.list = this;
    place.previous = previous;
    place.next = next;
    if (previous) previous.next = place;
    else this.first = place;
    if (next) next.previous = place;
    else this.#last = place;
  }

  remove(place: QueueEntry): void {
    const { previous, next } = place;
    if (previous) previous.next = next;
    else this.first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    place.list = undefined;
    place.previous = undefined;
    place.next = undefined;
  }
}

/** Most lines have nobody under way, most of the time. */
export const noEntries: readonly QueueEntry[] = [];

/** All calls of one subject: those that wait, those under way, and what ended it last. Places are numbered from 1. */
export class OutputQueue {
  /** Places whose parameters are still being read, so that only the family of their subject is known. */
  readonly announced = new EntryList();
  readonly urgent = new EntryList();
  readonly ordinary = new EntryList();
  /** Those whose turn it is: one, or a start and what ends it. */
  underWay = noEntries;
  /** The number of the last call that ended the subject: no earlier start may follow it. */
  lastEnd = 0;
  /** The number of the last start that was done or may have been: no earlier end may follow it. */
  #lastStart = 0;
  /** Ended the subject while a start of it was under way: the last one is to be done once more after that. */
  earlyStops = noEntries;

  constructor(
    /** The subject's. */
    readonly name: string,
    /** The line of the family that the subject belongs to; absent when it is this one. */
    private readonly family?: OutputQueue,
  ) {}

  /** Nothing in here waits, or is waited for: most lines are, most of the time. */
  get isEmpty(): boolean {
    return !this.urgent.first && !this.ordinary.first && !this.announced.first;
  }

  /** Whether a place, the first in its list, may have its turn as far as its own subject is concerned. */
  isFree(place: QueueEntry, now: number): boolean {
    const { claim, number } = place;
    if (claim.ends) return this.underWay.every((other) => !other.claim.ends && now >= place.waitUntil);
    if (this.underWay.length > 0 || isBefore(this.urgent.first, number)) return false;
    return !isBefore((this.family ?? this).announced.first, number);
  }

  /** Whether a call whose parameters took long would now undo what a later one has done. */
  isTooLate(place: QueueEntry): boolean {
    const isLater = ({ claim, number }: QueueEntry) => !claim.ends && number > place.number;
    if (!place.claim.ends) return place.isEnded;
    return this.#lastStart > place.number || this.underWay.some(isLater);
  }

  /** A call's turn is over. */
  noteEnd(place: QueueEntry, happened: boolean): void {
    const others = this.underWay.filter((other) => other !== place);
    this.underWay = others.length === 0 ? noEntries : others;
    if (happened && !place.claim.ends) this.#lastStart = Math.max(this.#lastStart, place.number);
  }

  /** Whether a start that cannot be taken back is under way. */
  get isStarting(): boolean {
    return this.underWay.some(({ claim }) => !claim.ends);
  }

  /** Whether anybody is about to start the subject, or may be. */
  get isWanted(): boolean {
    if ((this.family ?? this).announced.first || this.isStarting) return true;
    return hasStart(this.ordinary) || hasStart(this.urgent);
  }

  /** Every start that came before this number and is not on the wire: waiting, or before its own first byte. */
  startsBefore(number: number): QueueEntry[] {
    const waiting = [...before(this.ordinary.first, number), ...before(this.urgent.first, number)];
    const revocable = this.underWay.filter(
      ({ abort, isReadOnlySoFar: isLooking }) => isLooking || !abort.onWire,
    );
    return [...waiting, ...revocable].filter(({ claim }) => !claim.ends);
  }

  /** Lets nobody wait any longer for those whose parameters take too long. */
  passAnnounced(now: number): void {
    const { announced } = this;
    for (let { first } = announced; first && now >= first.waitUntil; first = announced.first) {
      announced.remove(first);
    }
  }

  /** When the first ones here have to be looked at again. */
  nextWakeUp(now: number): number {
    const urgent = this.urgent.first;
    return Math.min(
      later(this.ordinary.first?.claim.expiresAt, now),
      later(urgent?.claim.expiresAt, now),
      later(urgent?.waitUntil, now),
      later(this.announced.first?.waitUntil, now),
    );
  }
}

/** A moment that is still to come; infinite for one that is over, and for none. */
function later(moment: number | undefined, now: number): number {
  return moment !== undefined && moment > now ? moment : Number.POSITIVE_INFINITY;
}

/** Why a place is not to have its turn any more. */
export function superseded({ claim }: QueueEntry): Failure {
  return Failure.own('SUPERSEDED', localized(claim.ends ? 'supersededAnew' : 'superseded'));
}

function isBefore(place: QueueEntry | undefined, number: number): place is QueueEntry {
  return place !== undefined && place.number < number;
}

function hasStart(list: EntryList): boolean {
  for (const { claim } of list) if (!claim.ends) return true;
  return false;
}

function* before(first: QueueEntry | undefined, number: number): Generator<QueueEntry> {
  for (let place = first; isBefore(place, number); place = place.next) yield place;
}

/** What an operation starts or ends. Of one family are those that differ in a parameter only, as doors do. */
export interface DeviceOutput {
  readonly family: string;
  readonly name: string;
}

/** What opens, sounds, shows, switches or calls is not sent later than this after its message, in milliseconds. */
const defaultTtlMs = 60_000;

export interface QueueOptions {
  /** In milliseconds. */
  readonly ttlMs?: number;
  readonly yields?: boolean;
  readonly isReading?: boolean;
}

type Ordered = Pick<Operation, 'urgent' | 'deviceOutput' | 'isStop' | 'inOrderOf'>;

/**
 * What the order of an operation depends on, beside its subject.
 * @param since when its message came, of the monotonic clock
 * @param options how much later it may be sent, where somebody says so, infinite for any time; whether it is an end
 * that nobody sent a message for; and whether it is a reading, which waits behind messages and counts as none
 */
export function queuePolicyFor(
  { urgent, deviceOutput, isStop }: Ordered,
  since: number,
  { ttlMs, yields = false, isReading }: QueueOptions = {},
): QueuePolicy {
  const operationTtlMs = deviceOutput !== undefined && !isStop ? defaultTtlMs : Number.POSITIVE_INFINITY;
  const expiresAt = since + (ttlMs ?? operationTtlMs);
  const rank = urgent ? 'urgent' : 'ordinary';
  return { rank: isReading ? 'reading' : rank, ends: isStop === true, yields, expiresAt };
}

/** What an operation starts or ends with these parameters, or is in order of; undefined when there is no such thing. */
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
