import { type Place, PlaceList } from './place';

/** All calls of one subject: those that wait, those under way, and what ended it last. */
export class Line {
  /** Places whose parameters are still being read, so that only the family of their subject is known. */
  readonly announced = new PlaceList();
  readonly urgent = new PlaceList();
  readonly ordinary = new PlaceList();
  /** Those whose turn it is: one, or a start and what ends it. */
  underWay: readonly Place[] = [];
  /** The number of the last call that ended the subject: no earlier start may follow it. */
  lastEnd = Number.NEGATIVE_INFINITY;
  /** The number of the last start that was done or may have been: no earlier end may follow it. */
  #lastStart = Number.NEGATIVE_INFINITY;
  /** Ended the subject while a start of it was under way: the last one is to be done once more after that. */
  overtakers: readonly Place[] = [];

  constructor(
    /** The line of the family that the subject belongs to; absent when it is this one. */
    private readonly family?: Line,
  ) {}

  /** Nothing in here waits, or is waited for: most lines are, most of the time. */
  get isEmpty(): boolean {
    return !this.urgent.first && !this.ordinary.first && !this.announced.first;
  }

  /** Whether a place, the first in its list, may have its turn as far as its own subject is concerned. */
  isFree(place: Place, now: number): boolean {
    const { claim, number } = place;
    if (claim.ends) return this.underWay.every((other) => !other.claim.ends && now >= place.patientUntil);
    if (this.underWay.length > 0 || isBefore(this.urgent.first, number)) return false;
    return !isBefore((this.family ?? this).announced.first, number);
  }

  /** Whether a call whose parameters took long would now undo what a later one has done. */
  isTooLate(place: Place): boolean {
    const isLater = ({ claim, number }: Place) => !claim.ends && number > place.number;
    if (!place.claim.ends) return place.isEnded;
    return this.#lastStart > place.number || this.underWay.some(isLater);
  }

  /** A call's turn is over. */
  noteEnd(place: Place, happened: boolean): void {
    this.underWay = this.underWay.filter((other) => other !== place);
    if (happened && !place.claim.ends) this.#lastStart = Math.max(this.#lastStart, place.number);
  }

  /** Whether a start that cannot be taken back is under way. */
  get isStarting(): boolean {
    return this.underWay.some(({ claim }) => !claim.ends);
  }

  /** Every start that came before this number and is not on the wire: waiting, or before its own first byte. */
  startsBefore(number: number): Place[] {
    const waiting = [...before(this.ordinary.first, number), ...before(this.urgent.first, number)];
    const revocable = this.underWay.filter(({ abort, isLooking }) => isLooking || !abort.onWire);
    return [...waiting, ...revocable].filter(({ claim }) => !claim.ends);
  }

  /** Lets nobody wait any longer for those whose parameters take too long. */
  passAnnounced(now: number): void {
    const { announced } = this;
    for (let { first } = announced; first && now >= first.patientUntil; first = announced.first) {
      announced.remove(first);
    }
  }

  /** When the first ones here have to be looked at again. */
  nextAlarm(now: number): number {
    const moments = [
      this.ordinary.first?.claim.expiresAt,
      this.urgent.first?.claim.expiresAt,
      this.urgent.first?.patientUntil,
      this.announced.first?.patientUntil,
    ];
    return Math.min(...moments.map((moment = 0) => (moment > now ? moment : Number.POSITIVE_INFINITY)));
  }
}

function isBefore(place: Place | undefined, number: number): place is Place {
  return place !== undefined && place.number < number;
}

function* before(first: Place | undefined, number: number): Generator<Place> {
  for (let place = first; isBefore(place, number); place = place.next) yield place;
}
