import type { Database, Place } from './database';
import { allPlaces, placesOn, select, showAffected, showEvent, showGroup, withoutEvents } from './database';
import type { ScheduleBody, Selector } from './fields';
import { ScheduleError, type Surroundings, storeEvent, storeGroup } from './records';
import { type Day, dayOf } from './recurrence';

type Dated = Selector & { readonly date?: string; readonly exdate?: string };

interface DatedOperation {
  readonly key: 'exclude' | 'remove_exclude' | 'skip' | 'remove_skip';
  readonly change: (place: Place, date: string) => void;
  /** Whether the answer lists the day's events also when one event was meant (section 3). */
  readonly alwaysLists: boolean;
}

/** In the order in which they are carried out, whatever the order they are written in (section 4.13). */
const DATED: readonly DatedOperation[] = [
  { key: 'exclude', change: ({ event }, date) => event.excluded.add(date), alwaysLists: false },
  { key: 'remove_exclude', change: ({ event }, date) => event.excluded.delete(date), alwaysLists: false },
  { key: 'skip', change: ({ event }, date) => event.skipped.add(date), alwaysLists: false },
  { key: 'remove_skip', change: ({ event }, date) => event.skipped.delete(date), alwaysLists: true },
];

function meant(database: Database, name: string, selector: Selector, day?: Day): Place[] {
  const places = select(database, selector, day);
  if (places.length === 0 && selector.evid !== -1)
    throw new ScheduleError(`${name}: nothing has ${JSON.stringify(selector).slice(1, -1)}`);
  return places;
}

function applyDated(database: Database, operation: DatedOperation, name: string, entry: Dated): unknown {
  const { date: plain, exdate, ...selector } = entry;
  const date = plain ?? exdate ?? '';
  const day = dayOf(date) ?? 0;
  const places = meant(database, name, selector, day);
  for (const place of places) operation.change(place, date);
  if (selector.evid === -1)
    return { ...entry, affected_events: placesOn(database, day).map((place) => showAffected(place, day)) };
  if (!operation.alwaysLists) return entry;
  return { ...entry, affected_events: places.map((place) => showAffected(place, day)) };
}

function deleteCall(database: Database, name: string, actid: number): void {
  const event = allPlaces(database)
    .map((place) => place.event)
    .find(({ calls }) => calls.some((call) => call.actid === actid));
  if (!event) throw new ScheduleError(`${name}: nothing has actid ${actid}`);
  event.calls = event.calls.filter((call) => call.actid !== actid);
}

function applyDelete(database: Database, name: string, selector: Selector): Selector {
  if (selector.actid !== undefined) {
    deleteCall(database, name, selector.actid);
    return selector;
  }
  if (selector.groupid !== undefined) {
    const left = database.groups.filter(({ groupid }) => groupid !== selector.groupid);
    if (left.length === database.groups.length)
      throw new ScheduleError(`${name}: nothing has groupid ${selector.groupid}`);
    database.groups = left;
    return selector;
  }
  const gone = new Set(meant(database, name, selector).map(({ event }) => event));
  Object.assign(database, withoutEvents(database, gone));
  return selector;
}

/**
 * Carries out a POST on a copy, so that a failure leaves nothing behind (section 4.13).
 * Throws a ScheduleError that names the entry.
 */
export function applySchedule(
  before: Database,
  body: ScheduleBody,
  around: Surroundings,
): { database: Database; echo: Record<string, unknown> } {
  const database = structuredClone(before);
  const echo: Record<string, unknown> = {};
  for (const operation of DATED) {
    const entries: readonly Dated[] | undefined = body[operation.key];
    if (entries)
      echo[operation.key] = entries.map((entry, index) =>
        applyDated(database, operation, `${operation.key}[${index}]`, entry),
      );
  }
  if (body.delete)
    echo.delete = body.delete.map((entry, index) => applyDelete(database, `delete[${index}]`, entry));
  if (body.groups)
    echo.groups = body.groups
      .map((group, index) => storeGroup(database, `groups[${index}]`, group, around))
      .map(showGroup);
  if (body.events)
    echo.events = body.events
      .map((event, index) => storeEvent(database, `events[${index}]`, event, around))
      .map(showEvent);
  return { database, echo };
}
