import type { AlertState } from './alert';
import type { Book } from './book';

/** Where starts of an alert are on, and what is not cleared yet. Undefined for one that is idle. */
export function stateIn(book: Book, alertId: string): AlertState | undefined {
  const alert = book.alerts.get(alertId);
  if (!alert) return undefined;
  const [devices, waiting] = [new Set<string>(), new Set<string>()];
  for (const place of book.placesOf(alertId)) {
    if (!place.claims.has(alertId)) waiting.add(place.device.name);
    else if (place.on?.alert === alertId) devices.add(place.device.name);
  }
  const { name, severity, drill, since, isOn } = alert;
  const state = isOn ? 'active' : 'clearing';
  return { name, state, severity, drill, since, devices: [...devices], waiting: [...waiting] };
}

/** What alerts want at one subject of a device. */
export interface Wanted {
  readonly deviceId: string;
  /** Names of those that are on there, or would be if no other were. */
  readonly alerts: readonly string[];
  /** What is asked for until the device does it: an end, or a start in the place of one. */
  readonly owed?: { readonly operation: string; readonly by: string };
}

/** What alerts want everywhere; what is only rehearsed is left out. */
export function* wantedIn(book: Book): Generator<Wanted> {
  const nameOf = (id: string) => book.alerts.get(id)?.name || id;
  for (const place of book.places()) {
    if (place.rehearsal) continue;
    const step = place.step(book.alerts);
    const operation = step?.kind === 'end' ? step.deed.end?.operation : step?.deed.operation;
    yield {
      deviceId: place.device.id,
      alerts: [...place.claims.keys()].map(nameOf),
      ...(step && operation !== undefined && { owed: { operation, by: nameOf(step.alert) } }),
    };
  }
}
