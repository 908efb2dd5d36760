import type { Place, Rank } from './place';

/** Calls that wait between two tries. Each keeps its order, and has no connection meanwhile. */
export class Resting {
  readonly #places = new Set<Place>();

  [Symbol.iterator](): Iterator<Place> {
    return this.#places[Symbol.iterator]();
  }

  /** @param until on the monotonic clock */
  add(place: Place, until: number): void {
    place.restsUntil = until;
    this.#places.add(place);
  }

  /** Returns whether it was one of them. */
  delete(place: Place): boolean {
    return this.#places.delete(place);
  }

  has(wanted: Rank): boolean {
    for (const { claim } of this.#places) if (claim.rank === wanted) return true;
    return false;
  }

  /** The earliest of those that have rested long enough. */
  first(wanted: Rank, now: number): Place | undefined {
    let first: Place | undefined;
    for (const place of this.#places) {
      const isDue = place.claim.rank === wanted && now >= place.restsUntil;
      if (isDue && (!first || place.number < first.number)) first = place;
    }
    return first;
  }
}
