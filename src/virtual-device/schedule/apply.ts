import { sentence } from '../checks/checks';
import {
  byTime,
  type Database,
  happensOn,
  isOn,
  type PlacedEvent,
  showAffected,
  showEvent,
  showGroup,
} from './database';
import { type Day, dayOf } from './days';
import { Draft } from './draft';
import type { ScheduleBody, Selector } from './fields';
import { type Surroundings, storeEvent, storeGroup } from './records';

/**
 * The error of an operation that cannot be carried out; the device then rejects the whole request (section
 * 4.13).
 */
export class ScheduleError extends Error {}

/**
 * Carries out the operations of a POST on a copy, so that a failed request changes nothing (section 4.13).
 * @throws ScheduleError that names each invalid entry
 */
export function applySchedule(
  before: Database,
  body: ScheduleBody,
  surroundings: Surroundings,
): { database: Database; echo: Record<string, unknown> } {
  const draft = new Draft(before);
  const echo: Record<string, unknown> = {};
  for (const operation of dated) {
    const entries: readonly Dated[] | undefined = body[operation.key];
    if (entries)
      echo[operation.key] = each(draft, operation.key, entries, (entry, name) =>
        applyDated(draft, operation, name, entry),
      );
  }
  if (body.delete)
    echo.delete = each(draft, 'delete', body.delete, (entry, name) => applyDelete(draft, name, entry));
  const groups =
    body.groups &&
    each(draft, 'groups', body.groups, (group, name) => storeGroup(draft, name, group, surroundings));
  const events =
    body.events &&
    each(draft, 'events', body.events, (event, name) => storeEvent(draft, name, event, surroundings));
  if (draft.mistakes.length > 0) throw new ScheduleError(sentence(draft.mistakes));
  const database = draft.finish();
  if (groups) echo.groups = groups.map(showGroup);
  if (events) echo.events = events.map(showEvent);
  return { database, echo };
}

function each<E, R>(
  draft: Draft,
  key: string,
  entries: readonly E[],
  apply: (entry: E, name: string) => R,
): readonly R[] {
  return entries.map((entry, index) => {
    if (draft.isHopeless) throw new ScheduleError(sentence(draft.mistakes));
    return apply(entry, `${key}[${index}]`);
  });
}

function applyDated(draft: Draft, operation: DatedOperation, name: string, entry: Dated): unknown {
  const { date: plain, exdate, ...selector } = entry;
  const date = plain ?? exdate ?? '';
  const day = dayOf(date) ?? 0;
  const places = selector.evid === -1 ? eventsOn(draft, day) : selectedEvents(draft, name, selector);
  // "All events of that day" includes an event that this request excludes.
  const before = new Set(draft.places.filter((place) => isOn(place, day, date)));
  for (const place of places) operation.change(place, date);
  const listed = (some: readonly PlacedEvent[]) => some.map((place) => showAffected(place, date));
  if (selector.evid === -1) {
    const calendar = byTime(draft.places).filter((place) => before.has(place) || isOn(place, day, date));
    return { ...entry, affected_events: listed(calendar) };
  }
  return operation.alwaysLists ? { ...entry, affected_events: listed(places) } : entry;
}

/** Returns all events of a day, including excluded events, so that a request can restore excluded events. */
function eventsOn(draft: Draft, day: Day): readonly PlacedEvent[] {
  return draft.places.filter((place) => happensOn(place, day));
}

function selectedEvents(draft: Draft, name: string, selector: Selector): readonly PlacedEvent[] {
  const { evid, groupid, tag } = selector;
  const one = draft.place(evid);
  const isSelected = ({ event, group }: PlacedEvent): boolean =>
    groupid === undefined ? event.fields.tag === tag : group?.groupid === groupid;
  const places = evid === undefined ? draft.places.filter(isSelected) : one ? [one] : [];
  if (places.length === 0)
    draft.mistakes.push(`${name}: nothing has ${JSON.stringify(selector).slice(1, -1)}`);
  return places;
}

function applyDelete(draft: Draft, name: string, selector: Selector): Selector {
  if (selector.actid !== undefined) deleteCall(draft, name, selector.actid);
  else if (selector.groupid !== undefined) {
    const group = draft.group(selector.groupid);
    if (group) draft.removeGroup(group);
    else draft.mistakes.push(`${name}: nothing has groupid ${selector.groupid}`);
  } else for (const place of selectedEvents(draft, name, selector)) draft.remove(place);
  return selector;
}

function deleteCall(draft: Draft, name: string, actid: number): void {
  const event = draft.places
    .map((place) => place.event)
    .find(({ calls }) => calls.some((call) => call.actid === actid));
  if (!event) draft.mistakes.push(`${name}: nothing has actid ${actid}`);
  else event.calls = event.calls.filter((call) => call.actid !== actid);
}

type Dated = Selector & { readonly date?: string; readonly exdate?: string };

interface DatedOperation {
  readonly key: 'exclude' | 'remove_exclude' | 'skip' | 'remove_skip';
  readonly change: (place: PlacedEvent, date: string) => void;
  /**
   * Whether the answer lists the affected events for every selector, not only for all events of a day
   * (section 3).
   */
  readonly alwaysLists: boolean;
}

/** The operations with a date, in the order of their execution (section 4.13). */
const dated: readonly DatedOperation[] = [
  { key: 'exclude', change: ({ event }, date) => event.excluded.add(date), alwaysLists: false },
  { key: 'remove_exclude', change: ({ event }, date) => event.excluded.delete(date), alwaysLists: false },
  { key: 'skip', change: ({ event }, date) => event.skipped.add(date), alwaysLists: false },
  { key: 'remove_skip', change: ({ event }, date) => event.skipped.delete(date), alwaysLists: true },
];
