import type { Deed } from './alert';
import type { Place } from './place';

/** What devices end by themselves after a while: when that is, in epoch milliseconds. */
export class Fading {
  #next = Number.POSITIVE_INFINITY;

  /** When a deed that begins now is over; undefined where it lasts. */
  from({ lastsMs }: Deed, now: number): number | undefined {
    if (lastsMs === undefined) return undefined;
    this.#next = Math.min(this.#next, now + lastsMs);
    return now + lastsMs;
  }

  /** Takes up a place from the journal: what was on its way when the process died may have begun just now. */
  begin(place: Place, now: number): void {
    const { on } = place;
    if (!on) return;
    const until = on.until ?? this.from(on.deed, now);
    if (until === undefined) return;
    place.on = { ...on, until };
    if (until > now) this.#next = Math.min(this.#next, until);
  }

  /** When the next one is over. */
  nextAt(now: number, places: () => Iterable<Place>): number {
    if (this.#next > now) return this.#next;
    this.#next = Number.POSITIVE_INFINITY;
    for (const { on } of places()) {
      if (on?.until !== undefined && on.until > now) this.#next = Math.min(this.#next, on.until);
    }
    return this.#next;
  }
}
