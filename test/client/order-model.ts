/** What a message is to the order at its device. */
export interface Message {
  readonly kind: 'start' | 'stop' | 'other' | 'reading';
  /** What it starts or ends; two with the same device output keep their order. */
  readonly deviceOutput?: string;
  /** What is known of the device output before the parameters are read. */
  readonly family?: string;
  /** Stops, and the start of an emergency. */
  readonly urgent: boolean;
}

/** How a message ended. `done`: the device said yes; `unclear`: it may have been done; the others: it was not. */
export type End = 'done' | 'unclear' | 'failed' | 'superseded' | 'expired' | 'aborted';

/** A message's way, in the order of arrival. All instants in milliseconds. */
export interface Entry extends Message {
  readonly number: number;
  readonly arrived: number;
  /** Since then its parameters are known; until then it is announced. */
  entered?: number;
  /** It has its turn, over one of the two connections. */
  connection?: 'urgent' | 'ordinary' | undefined;
  /** Its bytes are on their way. */
  onWire?: boolean;
  /** They were, at least once. */
  sent?: true;
  /** A stop took it out. */
  doomed?: boolean;
  end?: End | undefined;
  /** Its message does not want it any more. */
  givenUp?: true;
  /** The name that it came by was closed: it was refused, unless it had ended before. */
  closed?: true;
  /** It was begun once more. */
  repeated?: true;
  /** Since then it lacks nothing but a connection. */
  ready?: number;
  /** Its request was given up for one that is more urgent. */
  gaveWay?: true;
}

const patience = 2_000;
const longestWait = 60_000;

const runs = ({ connection }: Entry) => connection !== undefined;
const waits = ({ entered, connection, end }: Entry) =>
  entered !== undefined && connection === undefined && end === undefined;
const same = (one: Entry, other: Entry) =>
  one.deviceOutput !== undefined && one.deviceOutput === other.deviceOutput;

/**
 * "Order at one device" as a judge: it is told what happens, in the order in which it does, and says what must not
 * have happened, and what should have. It is written from the contract (design 2.5) and knows nothing of the queue.
 */
export class OrderModel {
  readonly entries: Entry[] = [];
  /** Stops that are to be sent once more: a start that they passed ended after them. */
  readonly pending = new Set<Entry>();

  /** Stops that did not wait for a start to end, in the order in which they began. */
  readonly #passings: { readonly start: Entry; readonly stop: Entry }[] = [];

  arrives(message: Message, now: number): Entry {
    const entry: Entry = { ...message, number: this.entries.length, arrived: now };
    this.entries.push(entry);
    return entry;
  }

  /** Its parameters are known. */
  enters(entry: Entry, now: number): void {
    entry.entered = now;
    const isUndone = this.entries.some(
      (other) =>
        same(other, entry) && other.kind === 'start' && other.number > entry.number && isBegun(other),
    );
    // Its parameters took so long that it would now end what a later message started.
    if (entry.kind === 'stop' && isUndone) entry.doomed = true;
    for (const other of this.entries) {
      const [start, stop] = entry.kind === 'stop' ? [other, entry] : [entry, other];
      const isHere = start.kind === 'start' && start.entered !== undefined && start.end === undefined;
      if (isHere && !start.onWire && this.#isEndOf(stop, start)) start.doomed = true;
    }
  }

  /** A name was closed, and nothing that came by it is wanted any more. */
  closes(own: readonly Entry[]): void {
    for (const entry of own) {
      entry.closed = true;
      if (entry.end === undefined) entry.givenUp = true;
    }
  }

  /** It has its turn. Returns what is wrong with that. */
  begins(entry: Entry, now: number): string | undefined {
    const isRepeated = this.pending.delete(entry);
    const isOver = entry.end !== undefined && !isRepeated;
    const wrong = isOver ? 'it has ended before' : this.#whyNot(entry, now);
    const starts = this.entries.filter(
      (other) => same(other, entry) && other.kind === 'start' && runs(other),
    );
    if (entry.kind === 'stop') for (const start of starts) this.#passings.push({ start, stop: entry });
    entry.connection = entry.urgent && !this.#on('urgent') ? 'urgent' : 'ordinary';
    if (isRepeated) entry.repeated = true;
    delete entry.ready;
    delete entry.gaveWay;
    entry.end = undefined;
    return wrong;
  }

  /** Its bytes go to the device. Returns what is wrong with that. */
  isSent(entry: Entry): string | undefined {
    entry.onWire = true;
    const isOnceMore = entry.sent;
    entry.sent = true;
    if (entry.doomed) return 'a stop had taken it out';
    if (isOnceMore && entry.kind === 'start' && this.entries.some((other) => this.#isEndOf(other, entry))) {
      return 'a stop has come since it was sent';
    }
    return runs(entry) ? undefined : 'it had no turn';
  }

  /** Returns what is wrong with its having ended in this way. */
  ends(entry: Entry, end: End, now: number): string | undefined {
    const [hadTurn, hadEnded] = [runs(entry), entry.end !== undefined];
    entry.connection = undefined;
    entry.onWire = false;
    entry.end = end;
    if (hadEnded) return 'it ended twice';
    if (entry.kind === 'start' && (end === 'done' || end === 'unclear')) this.#addPending(entry);
    if (end === 'superseded' && !entry.doomed) return 'nothing took it out';
    if (end === 'expired' && (hadTurn || !isStale(entry, now))) return 'it may still wait';
    if ((end === 'done' || end === 'unclear' || end === 'failed') && !hadTurn) return 'it had no turn';
    return undefined;
  }

  /** Whether the device output is left on (true) or off, by the last that was done; undefined where that is not clear. */
  #leftOn(deviceOutput: string): boolean | undefined {
    const own = this.entries.filter((entry) => entry.deviceOutput === deviceOutput);
    const last = own.findLast(({ end, sent }) => sent && end !== 'failed');
    const isClear = last?.end === 'done' && !own.some(({ end, repeated }) => repeated && end !== 'done');
    return isClear ? last.kind === 'start' : undefined;
  }

  /**
   * Returns what is wrong when nothing more will happen.
   * @param on whether each device output is on at the device
   */
  atTheEnd(on: ReadonlyMap<string, boolean>): string | undefined {
    const forgotten = this.entries.find(({ end }) => end === undefined);
    if (forgotten) return `${forgotten.number} never ended`;
    if (this.pending.size > 0) return 'a stop was not sent once more';
    for (const [deviceOutput, isOn] of on) {
      const expected = this.#leftOn(deviceOutput);
      if (expected !== undefined && expected !== isOn)
        return `${deviceOutput} was left ${isOn ? 'on' : 'off'}`;
    }
    return undefined;
  }

  /** Returns what should have happened by now and has not. */
  overdue(now: number): string | undefined {
    const ready = this.entries.filter((entry) => waits(entry) || this.#isDueAgain(entry));
    for (const entry of ready) {
      if (!this.#whyNot(entry, now)) return `${entry.number} waits for nothing`;
      const isFirst = ![...ready, ...this.pending].some(
        (other) => other.urgent === entry.urgent && other.number < entry.number,
      );
      if (isFirst && isStale(entry, now)) return `${entry.number} should have expired`;
    }
    const doomed = this.entries.find((entry) => entry.doomed && entry.end === undefined);
    if (doomed) return `${doomed.number} should be superseded`;
    const lesser = this.#hasToGiveWay(now);
    return lesser && `${lesser.number} should give way`;
  }

  /** Its request is given up for one that is more urgent. Returns what is wrong with that. */
  givesWay(entry: Entry, now: number): string | undefined {
    const due = this.#withoutConnection(now).find(
      ({ ready = now, ...other }) => now - ready >= patience && weightOf(entry) < weightOf(other),
    );
    if (due) due.ready = now;
    entry.gaveWay = true;
    return due ? undefined : 'nothing more urgent has waited for its connection so long';
  }

  /** What has to be given up now: a request that is less urgent than one that has waited 2 s for a connection. */
  #hasToGiveWay(now: number): Entry | undefined {
    const [first] = this.#withoutConnection(now);
    if (first?.ready === undefined || now - first.ready < patience) return undefined;
    const isLesser = (entry: Entry) => entry.onWire && !entry.gaveWay && weightOf(entry) < weightOf(first);
    const holders = ['ordinary', 'urgent'].map((name) => this.entries.find((one) => one.connection === name));
    const lesser = holders.find((holder) => holder && isLesser(holder));
    // What is not on the wire yet is looked at again after as long.
    if (!lesser) first.ready = now;
    return lesser;
  }

  /** What is urgent and lacks nothing but a connection, in its order. */
  #withoutConnection(now: number): Entry[] {
    const waiting = this.entries.filter((entry) => waits(entry) || this.#isDueAgain(entry));
    const ready = waiting.filter((entry) => entry.urgent && !this.#whyNot(entry, now, true));
    for (const entry of ready) entry.ready ??= now;
    if (!this.#on('ordinary') || !this.#on('urgent')) return [];
    return ready.sort((one, other) => (goesBefore(one, other) ? -1 : 1));
  }

  /** Why it may not have its turn; with connections enough, if it is so asked. */
  #whyNot(entry: Entry, now: number, isRoom = false): string | undefined {
    if (entry.doomed) return 'a stop took it out';
    if (isStale(entry, now)) return 'it waited too long';
    const isTaken = this.#on('ordinary') && (!entry.urgent || this.#on('urgent'));
    if (isTaken && !isRoom) return 'the connection is taken';
    for (const other of this.entries) {
      const reason = other === entry ? undefined : this.#holdsUp(other, entry, now);
      if (reason) return `${reason} ${other.number}`;
    }
    return undefined;
  }

  /** Why this one has to wait for the other one. */
  #holdsUp(other: Entry, entry: Entry, now: number): string | undefined {
    const isEarlier = other.number < entry.number;
    const isReady = (waits(other) && !other.doomed && !isStale(other, now)) || this.#isDueAgain(other);
    if (same(other, entry)) {
      if (isEarlier && isReady) return 'before it comes';
      const hasWaited = entry.kind === 'stop' && now - (entry.entered ?? now) >= patience;
      if (runs(other) && !(other.kind === 'start' && hasWaited)) return 'under way is';
    }
    const isAnnounced =
      other.entered === undefined && !other.end && !other.closed && now - other.arrived < patience;
    if (isAnnounced && isEarlier && entry.kind === 'start' && other.family === entry.family)
      return 'announced is';
    if (!isReady || other.urgent !== entry.urgent) return undefined;
    if (entry.urgent)
      return goesBefore(other, entry) && !this.#whyNot(other, now) ? 'urgent, too, is' : undefined;
    if (entry.kind === other.kind || (entry.kind !== 'reading' && other.kind !== 'reading')) {
      return isEarlier ? 'earlier is' : undefined;
    }
    return entry.kind === 'reading' ? 'no reading is' : undefined;
  }

  /** Whether this is a stop that has come after that start. */
  #isEndOf(stop: Entry, start: Entry): boolean {
    const isStop = stop.kind === 'stop' && stop.entered !== undefined && !stop.doomed;
    return isStop && same(stop, start) && stop.number > start.number;
  }

  #on(connection: 'urgent' | 'ordinary'): boolean {
    return this.entries.some((entry) => entry.connection === connection);
  }

  #isDueAgain(entry: Entry): boolean {
    return this.pending.has(entry) && !runs(entry);
  }

  /** The last stop that passed this start, and was not given up, has to follow it. */
  #addPending(start: Entry): void {
    const last = this.#passings.findLast((one) => one.start === start && !one.stop.givenUp);
    // Where one of both names is left, it is done by that one.
    if (last && !(start.closed && last.stop.closed)) this.pending.add(last.stop);
  }
}

/** Of two that are urgent: stops come first. */
const goesBefore = (one: Entry, other: Entry) =>
  (one.kind === 'stop') === (other.kind === 'stop') ? one.number < other.number : one.kind === 'stop';
/** A stop counts more than another urgent one, which counts more than the rest. */
const weightOf = ({ urgent, kind }: Entry) => (urgent ? (kind === 'stop' ? 2 : 1) : 0);
const isBegun = (entry: Entry) => runs(entry) || entry.end === 'done' || entry.end === 'unclear';
const isStale = (entry: Entry, now: number) =>
  entry.kind === 'start' && !runs(entry) && now - entry.arrived >= longestWait;
