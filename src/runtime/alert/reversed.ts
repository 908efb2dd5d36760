import type { Place } from './place';

/**
 * Device by device, and at each of them what was wanted last first.
 * @param orderOf later ones have a higher one
 */
export function reversed(places: readonly Place[], orderOf: (place: Place) => number | undefined): Place[] {
  const order = (place: Place) => orderOf(place) ?? 0;
  const devices = new Map<string, Place[]>();
  for (const place of [...places].sort((a, b) => order(a) - order(b))) {
    const { id, where = id } = place.device;
    devices.set(where, [place, ...(devices.get(where) ?? [])]);
  }
  return [...devices.values()].flat();
}
