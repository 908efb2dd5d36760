import type { Place, Rank } from './place';

/** Calls that wait between two tries. Each keeps its order, and has no connection meanwhile. */
export class Resting {
  /** Made by the first one: at most devices nobody ever rests. */
  #places: Set<Place> | undefined;

  [Symbol.iterator](): Iterator<Place> {
    return (this.#places ?? new Set<Place>())[Symbol.iterator]();
  }

  /** When the next of them has rested long enough; infinite for never. */
  nextWakeUp(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    if (!this.#places) return next;
    for (const { restsUntil } of this.#places) if (restsUntil > now) next = Math.min(next, restsUntil);
    return next;
  }

  /** @param until on the monotonic clock */
  add(place: Place, until: number): void {
    place.restsUntil = until;
    this.#places ??= new Set();
    this.#places.add(place);
  }

  /** Returns whether it was one of them. */
  delete(place: Place): boolean {
    return this.#places?.delete(place) === true;
  }

  has(wanted: Rank): boolean {
    if (!this.#places) return false;
    for (const { claim } of this.#places) if (claim.rank === wanted) return true;
    return false;
  }

  /** The earliest of those that have rested long enough. */
  first(wanted: Rank, now: number): Place | undefined {
    let first: Place | undefined;
    if (!this.#places) return first;
    for (const place of this.#places) {
      const isDue = place.claim.rank === wanted && now >= place.restsUntil;
      if (isDue && (!first || place.number < first.number)) first = place;
    }
    return first;
  }
}
