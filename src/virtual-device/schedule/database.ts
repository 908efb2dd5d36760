import type { CallFields, EventFields, GroupFields } from './fields';
import { type DayTest, dayTestOf } from './recurrence';

export interface StoredCall {
  readonly actid: number;
  fields: Omit<CallFields, 'actid'>;
}

export interface StoredEvent {
  readonly evid: number;
  fields: Omit<EventFields, 'evid' | 'api_call' | 'greyed_out_date' | 'delay'>;
  calls: StoredCall[];
  /** Dates on which `exclude` hides the event. The definition of the event does not change (section 3). */
  excluded: string[];
  skipped: string[];
}

export interface StoredGroup {
  readonly groupid: number;
  fields: Omit<GroupFields, 'groupid' | 'events'>;
  events: StoredEvent[];
}

/** The scheduler's database (section 2.6a): plain data, so that a request can work on a copy. */
export interface Database {
  readonly groups: StoredGroup[];
  readonly events: StoredEvent[];
  readonly lastIds: { event: number; group: number; call: number };
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

/** Returns a copy of the database without some events. */
export function withoutEvents(database: Database, isRemoved: (place: PlacedEvent) => boolean): Database {
  return {
    ...database,
    events: database.events.filter((event) => !isRemoved({ event })),
    groups: database.groups.map((group) => ({
      ...group,
      events: group.events.filter((event) => !isRemoved({ event, group })),
    })),
  };
}

const never: DayTest = () => false;

/**
 * Returns the test of the days on which an event takes place, whether or not `exclude` hides the event. An
 * event in a group takes place on the dates of the group, except the `exdate` of the event.
 */
export function happeningTest({ event, group }: PlacedEvent): DayTest {
  const { enabled } = event.fields;
  return enabled === false || enabled === 0 ? never : dayTestOf((group ?? event).fields, event.fields);
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
  return { evid: event.evid, color, name, start_time, skipped: event.skipped.includes(date) ? 1 : 0 };
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
