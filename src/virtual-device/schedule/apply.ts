import { short } from '../checks/checks';
import {
  allEvents,
  type Database,
  type PlacedEvent,
  showAffected,
  showEvent,
  showGroup,
  withoutEvents,
} from './database';
import { dayOf } from './days';
import type { ScheduleBody, Selector } from './fields';
import { type Draft, findGroup, type Surroundings, storeEvent, storeGroup } from './records';
import { Timetable } from './timetable';

/** The outcome of a POST: the new database and the echo, or a sentence for each invalid entry. */
export type Applied =
  | { readonly database: Database; readonly echo: Readonly<Record<string, unknown>> }
  | { readonly mistakes: readonly string[] };

/** Carries out the operations of a POST on a copy, so that a failed request changes nothing (section 4.13). */
export function applySchedule(before: Database, body: ScheduleBody, surroundings: Surroundings): Applied {
  const draft: Draft = { ...surroundings, database: structuredClone(before), mistakes: [] };
  const echo: Record<string, unknown> = {};
  const timetable = new Timetable(draft.database);
  for (const operation of dated) {
    const entries: readonly Dated[] | undefined = body[operation.key];
    if (entries)
      echo[operation.key] = entries.map((entry, index) =>
        setDate(draft, timetable, operation, `${operation.key}[${index}]`, entry),
      );
  }
  if (body.delete)
    echo.delete = body.delete.map((entry, index) => {
      remove(draft, `delete[${index}]`, entry);
      return entry;
    });
  const groups = body.groups?.map((group, index) => storeGroup(draft, `groups[${index}]`, group));
  const events = body.events?.map((event, index) => storeEvent(draft, `events[${index}]`, event));
  if (draft.mistakes.length > 0) return { mistakes: draft.mistakes };
  if (groups) echo.groups = groups.map(showGroup);
  if (events) echo.events = events.map(showEvent);
  return { database: draft.database, echo };
}

/** Adds a date to the skipped or excluded dates of the selected events, or removes it. Returns the answer. */
function setDate(
  draft: Draft,
  timetable: Timetable,
  { kind, isAdded, alwaysLists }: DatedOperation,
  name: string,
  entry: Dated,
): unknown {
  const date = entry.date ?? entry.exdate ?? '';
  const isWholeDay = entry.evid === -1;
  const places = isWholeDay ? timetable.all(dayOf(date) ?? 0) : selectedEvents(draft, name, entry);
  // "All events of that day" includes the events that this operation excludes or restores.
  const isRestored = kind === 'excluded' && !isAdded;
  const affected = places.filter(({ event }) => isRestored || !event.excluded.includes(date));
  for (const { event } of places) {
    const others = event[kind].filter((other) => other !== date);
    event[kind] = isAdded ? [...others, date] : others;
  }
  if (!isWholeDay && !alwaysLists) return entry;
  return { ...entry, affected_events: affected.map((place) => showAffected(place, date)) };
}

function selectedEvents(draft: Draft, name: string, { evid, groupid, tag }: Selector): PlacedEvent[] {
  const places = allEvents(draft.database).filter(({ event, group }) => {
    if (evid !== undefined) return event.evid === evid;
    return groupid === undefined ? event.fields.tag === tag : group?.groupid === groupid;
  });
  if (places.length === 0)
    draft.mistakes.push(`${name}: nothing has ${short(JSON.stringify({ evid, groupid, tag }).slice(1, -1))}`);
  return places;
}

function remove(draft: Draft, name: string, selector: Selector): void {
  const { actid, groupid } = selector;
  if (actid !== undefined) removeCall(draft, name, actid);
  else if (groupid !== undefined) removeGroup(draft, name, groupid);
  else {
    const selected = new Set(selectedEvents(draft, name, selector).map(({ event }) => event));
    draft.database = withoutEvents(draft.database, ({ event }) => selected.has(event));
  }
}

function removeCall(draft: Draft, name: string, actid: number): void {
  const events = allEvents(draft.database).map(({ event }) => event);
  const event = events.find(({ calls }) => calls.some((call) => call.actid === actid));
  if (event) event.calls = event.calls.filter((call) => call.actid !== actid);
  else draft.mistakes.push(`${name}: nothing has actid ${actid}`);
}

function removeGroup(draft: Draft, name: string, groupid: number): void {
  const removed = findGroup(draft.database, groupid);
  if (!removed) draft.mistakes.push(`${name}: nothing has groupid ${groupid}`);
  const groups = draft.database.groups.filter((group) => group !== removed);
  draft.database = { ...draft.database, groups };
}

type Dated = Selector & { readonly date?: string; readonly exdate?: string };

interface DatedOperation {
  readonly key: 'exclude' | 'remove_exclude' | 'skip' | 'remove_skip';
  readonly kind: 'excluded' | 'skipped';
  /** Whether the operation adds the date, or removes it. */
  readonly isAdded: boolean;
  /**
   * Whether the answer lists the affected events for every selector, not only for all events of a day
   * (section 3).
   */
  readonly alwaysLists: boolean;
}

/** The operations with a date, in the order of their execution (section 4.13). */
const dated: readonly DatedOperation[] = [
  { key: 'exclude', kind: 'excluded', isAdded: true, alwaysLists: false },
  { key: 'remove_exclude', kind: 'excluded', isAdded: false, alwaysLists: false },
  { key: 'skip', kind: 'skipped', isAdded: true, alwaysLists: false },
  { key: 'remove_skip', kind: 'skipped', isAdded: false, alwaysLists: true },
];
