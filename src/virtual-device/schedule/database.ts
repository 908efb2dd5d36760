import type { Day } from './days';
import type { CallFields, EventFields, GroupFields } from './fields';
import { occursOn } from './recurrence';

export interface StoredCall {
  readonly actid: number;
  fields: Omit<CallFields, 'actid'>;
}

type Definition = Omit<EventFields, 'evid' | 'api_call' | 'greyed_out_date' | 'delay'>;

export interface StoredEvent {
  readonly evid: number;
  fields: Definition;
  calls: StoredCall[];
  /** Dates on which `exclude` hides the event. The definition of the event does not change (section 3). */
  readonly excluded: Set<string>;
  readonly skipped: Set<string>;
}

export interface StoredGroup {
  readonly groupid: number;
  fields: Omit<GroupFields, 'groupid' | 'events'>;
  events: StoredEvent[];
}

/** The scheduler's database (section 2.6a): plain data, so that a request can work on a copy. */
export interface Database {
  groups: StoredGroup[];
  events: StoredEvent[];
  lastIds: { event: number; group: number; call: number };
  /** Whether the schedule changed while other computers could reach the device; absent for false. */
  isForeign?: true;
}

type SavedEvent = Omit<StoredEvent, 'excluded' | 'skipped'> & {
  readonly excluded: readonly string[];
  readonly skipped: readonly string[];
};

export interface SavedDatabase extends Omit<Database, 'groups' | 'events'> {
  readonly groups: readonly (Omit<StoredGroup, 'events'> & { readonly events: readonly SavedEvent[] })[];
  readonly events: readonly SavedEvent[];
}

export function saveDatabase({ groups, events, ...more }: Database): SavedDatabase {
  const save = (event: StoredEvent): SavedEvent => ({
    ...event,
    excluded: [...event.excluded],
    skipped: [...event.skipped],
  });
  return {
    groups: groups.map((group) => ({ ...group, events: group.events.map(save) })),
    events: events.map(save),
    ...more,
  };
}

export function restoreDatabase({ groups, events, ...more }: SavedDatabase): Database {
  const restore = (event: SavedEvent): StoredEvent => ({
    ...event,
    excluded: new Set(event.excluded),
    skipped: new Set(event.skipped),
  });
  return {
    groups: groups.map((group) => ({ ...group, events: group.events.map(restore) })),
    events: events.map(restore),
    ...more,
  };
}

export function emptyDatabase(): Database {
  return { groups: [], events: [], lastIds: { event: 0, group: 0, call: 0 } };
}

export interface PlacedEvent {
  readonly event: StoredEvent;
  readonly group?: StoredGroup;
}

export function allEvents({ groups, events }: Database): PlacedEvent[] {
  return [
    ...events.map((event) => ({ event })),
    ...groups.flatMap((group) => group.events.map((event) => ({ event, group }))),
  ];
}

export function byTime(places: readonly PlacedEvent[]): PlacedEvent[] {
  const timeOf = ({ event }: PlacedEvent): string => event.fields.start_time ?? '';
  return [...places].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b))));
}

/** An event in a group takes place on the dates of the group, except the `exdate` of the event. */
export function happensOn({ event, group }: PlacedEvent, day: Day): boolean {
  const { enabled } = event.fields;
  if (enabled === false || enabled === 0) return false;
  return occursOn((group ?? event).fields, day, event.fields);
}

/**
 * Whether the calendar of a day lists an event: the event takes place and is not excluded by `exclude`.
 * @param date the date of `day`
 */
export function isOn(place: PlacedEvent, day: Day, date: string): boolean {
  return !place.event.excluded.has(date) && happensOn(place, day);
}

export function showEvent({ evid, fields, calls, skipped }: StoredEvent): Record<string, unknown> {
  return {
    evid,
    ...fields,
    greyed_out_date: [...skipped].sort().join(','),
    ...(fields.event_type === 'api_call'
      ? { api_call: calls.map(({ actid, fields: call }) => ({ actid, ...call })) }
      : {}),
  };
}

export function showGroup({ groupid, fields, events }: StoredGroup): Record<string, unknown> {
  return { groupid, ...fields, events: events.map(showEvent) };
}

export function showDatabase({ groups, events }: Database): Record<string, unknown> {
  return { format: 'v2.0', groups: groups.map(showGroup), events: events.map(showEvent) };
}

export function showInstance({ event }: PlacedEvent, date: string): Record<string, unknown> {
  const { color, name, start_time } = event.fields;
  return { evid: event.evid, color, name, start_time, skipped: event.skipped.has(date) ? 1 : 0 };
}

export function showAffected(place: PlacedEvent, date: string): Record<string, unknown> {
  const { event, group } = place;
  const rule = (group ?? event).fields.rrule ?? '';
  return {
    ...showInstance(place, date),
    recurrent: rule === '' ? 0 : 1,
    ...(group ? { group: group.fields.name, group_color: group.fields.color, groupid: group.groupid } : {}),
  };
}
