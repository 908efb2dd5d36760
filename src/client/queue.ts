import type { Abort } from './abort';
import type { Environment } from './environment';
import { Failure } from './failure';
import { longestDelayMs } from './limit';
import { Line } from './line';
import { type Claim, type LaneName, Place, PlaceList } from './place';

/** How long what ends a subject waits for a start of it that is under way, in milliseconds. */
const patienceMs = 2_000;

/** What an operation starts or ends. Of one family are those that differ in a parameter only, as doors do. */
export interface Subject {
  readonly family: string;
  readonly name: string;
}

/**
 * The order of all calls to one device (docs/contract.md 2.5). Calls of one subject reach it in the order of
 * their messages. What ends a subject takes out the starts that wait, waits for one under way, and passes
 * everything else; so does what is urgent. Then come messages in the order of their arrival, then readings. At
 * most one ordinary request and one urgent one are under way; an urgent one takes the ordinary connection where
 * that is free and its own is not.
 *
 * Nothing in here sends, and the clock is given. What a call costs does not depend on how many wait.
 */
export class Queue {
  readonly #lines = new Map<string, Line>();
  readonly #noSubject = this.#lineOf({ family: '', name: '' });
  readonly #readings = new PlaceList();
  #ordinary: Place | undefined;
  #urgent: Place | undefined;
  #taken = 0;
  #closed: Failure | undefined;
  #onIdle: (() => void) | undefined;
  /** A stop is being let in: nobody gets a turn meanwhile. */
  #isHeld = false;
  #alarmAt = Number.POSITIVE_INFINITY;
  #cancelAlarm: (() => void) | undefined;

  /** @param mostWaiting so many messages may wait; the one under way, urgent ones and readings do not count */
  constructor(
    private readonly clock: Pick<Environment, 'monotonic' | 'after'>,
    private readonly mostWaiting = Number.POSITIVE_INFINITY,
  ) {}

  /** Takes the next place in the order of arrival. It counts once it is announced or has entered. */
  take(claim: Claim, abort?: Abort): Place {
    this.#taken += 1;
    return new Place(claim, this.#taken, abort);
  }

  /**
   * Keeps a place whose parameters are still being read, and its subject with them: for a while no later start
   * of the family passes it.
   */
  announce(place: Place, family: string): void {
    place.patientUntil = this.clock.monotonic() + patienceMs;
    this.#lineOf({ family, name: family }).announced.insert(place);
    this.#wakeAt(place.patientUntil);
  }

  /** Gives up a place that has not entered. */
  withdraw(place: Place): void {
    if (!place.list) return;
    place.list.remove(place);
    this.#goOn();
  }

  /**
   * Waits for the turn of a place. Who got it calls `leave` when done.
   * @returns undefined when the turn came at once, else what to wait for
   * @throws Failure SUPERSEDED, EXPIRED or the abort's reason, also as a rejection when it comes while waiting
   */
  enter(place: Place, subject?: Subject): Promise<void> | undefined {
    const { abort } = place;
    place.list?.remove(place);
    place.line = subject && this.#lineOf(subject);
    if (this.#closed) abort.abort(this.#closed);
    if (place.line?.isTooLate(place)) abort.abort(superseded(place));
    if (!abort.reason) this.#letIn(place);
    this.#goOn();
    if (place.lane) return undefined;
    if (abort.reason) throw abort.reason;
    return new Promise((resolve, reject) => {
      place.onTurn = resolve;
      abort.tell((reason) => {
        reject(reason);
        // Whoever took it out goes on by itself: with thousands, one inside the other would end the stack.
        if (!place.list) return;
        place.list.remove(place);
        this.#goOn();
      });
    });
  }

  /**
   * Gives the turn to the next one.
   * @param happened the device did what was asked, or may have
   */
  leave(place: Place, happened: boolean): void {
    const { line } = place;
    if (this.#urgent === place) this.#urgent = undefined;
    if (this.#ordinary === place) this.#ordinary = undefined;
    place.lane = undefined;
    if (line) {
      line.noteEnd(place, happened);
      if (!place.claim.ends && !line.isStarting) this.#endOnceMore(line, happened);
    }
    this.#goOn();
    if (!this.#ordinary && !this.#urgent) this.#onIdle?.();
  }

  /** Refuses whatever is here and whatever comes. Resolves when nothing is under way any more. */
  async close(reason: Failure): Promise<void> {
    this.#closed = reason;
    this.#isHeld = true;
    this.#cancelAlarm?.();
    this.#ordinary?.abort.abort(reason);
    this.#urgent?.abort.abort(reason);
    for (const { urgent, ordinary } of this.#lines.values()) {
      endFirst(urgent, () => reason);
      endFirst(ordinary, () => reason);
    }
    endFirst(this.#readings, () => reason);
    if (!this.#ordinary && !this.#urgent) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #lineOf({ family, name }: Subject): Line {
    const known = this.#lines.get(name);
    if (known) return known;
    const line = new Line(family === name ? undefined : this.#lineOf({ family, name: family }));
    this.#lines.set(name, line);
    return line;
  }

  #letIn(place: Place): void {
    const { line, claim } = place;
    place.patientUntil = Number.NEGATIVE_INFINITY;
    if (line && claim.ends) this.#end(line, place);
    if (claim.rank === 'reading') this.#readings.insert(place);
    else (line ?? this.#noSubject)[claim.rank].insert(place);
  }

  /** Takes out the starts that this one ends, and lets it wait for one that cannot be taken out. */
  #end(line: Line, place: Place): void {
    this.#isHeld = true;
    for (const start of line.startsBefore(place.number)) start.abort.abort(superseded(start));
    this.#isHeld = false;
    line.lastEnd = Math.max(line.lastEnd, place.number);
    if (line.isStarting) place.patientUntil = this.clock.monotonic() + patienceMs;
  }

  /** A start that was overtaken has ended, and what it was to be ended by with it or not. */
  #endOnceMore(line: Line, happened: boolean): void {
    // One that was given up says so to its message, and must not be sent after all.
    const last = line.overtakers.findLast(({ abort }) => !abort.reason);
    line.overtakers = [];
    if (last && happened && !this.#closed) last.again?.(new Place(last.claim, last.number));
  }

  /** Gives every turn that can be given. */
  #goOn(): void {
    if (this.#isHeld) return;
    const now = this.clock.monotonic();
    for (;;) {
      this.#dropLate(now);
      const urgent = this.#urgent && this.#ordinary ? undefined : this.#firstUrgent(now);
      if (urgent) this.#give(urgent, this.#urgent ? 'ordinary' : 'urgent');
      const ordinary = this.#ordinary ? undefined : this.#firstOrdinary(now);
      if (ordinary) this.#give(ordinary, 'ordinary');
      if (!urgent && !ordinary) break;
    }
    for (const line of this.#lines.values()) if (!line.isEmpty) this.#wakeAt(line.nextAlarm(now));
  }

  /** Takes out what waited too long, and lets nobody wait any longer for parameters that take too long. */
  #dropLate(now: number): void {
    for (const line of this.#lines.values()) {
      if (line.isEmpty) continue;
      endFirst(line.ordinary, expired, now);
      endFirst(line.urgent, expired, now);
      line.passAnnounced(now);
    }
  }

  /** The earliest of those that their own subject does not hold up. */
  #firstUrgent(now: number): Place | undefined {
    let first: Place | undefined;
    for (const line of this.#lines.values()) {
      const place = line.urgent.first;
      if (place && (!first || place.number < first.number) && line.isFree(place, now)) first = place;
    }
    return first;
  }

  /** The earliest, unless its own subject holds it up: messages do not pass each other. */
  #firstOrdinary(now: number): Place | undefined {
    let first: Place | undefined;
    for (const { ordinary } of this.#lines.values()) {
      if (ordinary.first && (!first || ordinary.first.number < first.number)) first = ordinary.first;
    }
    if (!first) return this.#readings.first;
    return first.line?.isFree(first, now) === false ? undefined : first;
  }

  #give(place: Place, lane: LaneName): void {
    const { abort, claim, line } = place;
    place.list?.remove(place);
    abort.tell(undefined);
    place.lane = lane;
    if (lane === 'urgent') this.#urgent = place;
    else this.#ordinary = place;
    if (line) {
      if (claim.ends && line.isStarting) line.overtakers = [...line.overtakers, place];
      line.underWay = [...line.underWay, place];
    }
    place.onTurn?.();
  }

  #wakeAt(moment: number): void {
    if (moment >= this.#alarmAt || !Number.isFinite(moment)) return;
    this.#cancelAlarm?.();
    this.#alarmAt = moment;
    const ms = Math.min(moment - this.clock.monotonic(), longestDelayMs);
    this.#cancelAlarm = this.clock.after(ms, () => {
      this.#alarmAt = Number.POSITIVE_INFINITY;
      this.#goOn();
    });
  }
}

/**
 * Ends those in front, and of them only those that are too late, when it is told the time: what stands behind one
 * that may still be sent is looked at when it comes to the front.
 */
function endFirst(list: PlaceList, why: () => Failure, now = Number.POSITIVE_INFINITY): void {
  for (let place = list.first; place && now >= place.claim.expiresAt; place = list.first) {
    list.remove(place);
    place.abort.abort(why());
  }
}

function superseded({ claim }: Place): Failure {
  const deed = claim.ends ? 'started it anew' : 'ended it';
  return Failure.own('SUPERSEDED', `a later message ${deed} before it was begun`);
}

function expired(): Failure {
  return Failure.own('EXPIRED', 'its turn came too late');
}
