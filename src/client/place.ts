import { Abort } from './abort';
import type { Line } from './line';

/** What is urgent goes first, then what messages ask for, then what watching nodes read. */
export type Rank = 'urgent' | 'ordinary' | 'reading';

/** The two connections that a device is spoken to over. */
export type LaneName = 'ordinary' | 'urgent';

/** What the order of a call depends on, beside its subject. */
export interface Claim {
  readonly rank: Rank;
  /** It ends its subject: what waits to start it is taken out. */
  readonly ends: boolean;
  /** When it is too late to be sent, on the monotonic clock; infinite when it never is. */
  readonly expiresAt: number;
}

/** One call's place in the order of a device, from its message's arrival to its answer. */
export class Place {
  /** The connection it has, while it is its turn. */
  lane: LaneName | undefined;
  /** Where it waits; its neighbors too are kept here, so that leaving costs the same wherever it stands. */
  list: PlaceList | undefined;
  previous: Place | undefined;
  next: Place | undefined;
  /** Its subject's line, once it is known. */
  line: Line | undefined;
  /** Until when it waits for what is under way, or others wait for it, on the monotonic clock. */
  patientUntil = Number.NEGATIVE_INFINITY;
  /** It waits between two tries; when it may have its turn again, on the monotonic clock. */
  restsUntil = Number.NEGATIVE_INFINITY;
  /** It is one of those that a queue's bound counts. */
  isCounted = false;
  /** In its turn it only looks so far, at who the device is for example: what it is to do was not sent. */
  isLooking = false;
  /** Called when its turn comes, if that is not at once. */
  onTurn: (() => void) | undefined;
  /** For what ends a subject: does it once more, at another place. */
  again: ((place: Place) => void) | undefined;

  constructor(
    readonly claim: Claim,
    /** In the order of the messages' arrival. */
    readonly number: number,
    /** Ends its call. */
    readonly abort = new Abort(),
  ) {}

  /** It starts what a later message has ended since: it is not to be sent any more, nor once more. */
  get isEnded(): boolean {
    return !this.claim.ends && this.line !== undefined && this.line.lastEnd > this.number;
  }
}

/** Places in the order of their numbers. */
export class PlaceList {
  first: Place | undefined;
  #last: Place | undefined;

  /** Mostly at the end; before those whose messages came later, when its own took longer to be read. */
  insert(place: Place): void {
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

  remove(place: Place): void {
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
