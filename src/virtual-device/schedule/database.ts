import type { CallFields, EventFields, GroupFields } from './fields';
import { type DayTest, dayTestOf } from './recurrence';

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
  excluded: ReadonlySet<string>;
  skipped: ReadonlySet<string>;
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

const never: DayTest = () => false;

/**
 * Returns the test of the days on which an event takes place, whether or not `exclude` hides the event. An
 * event in a group takes place on the dates of the group, except the `exdate` of the event.
 */
export function happeningTest({ event, group }: PlacedEvent): DayTest {
  const { enabled } = event.fields;
  return enabled === false || enabled === 0 ? never : dayTestOf((group ?? event).fields, event.fields);
}

/** Cache: sizes as JSON, in bytes. They stay valid, since fields and calls are only replaced as a whole. */
const sizes = new WeakMap<object, number>();

function sizeOf(part: object): number {
  const known = sizes.get(part);
  if (known !== undefined) return known;
  const size = Buffer.byteLength(JSON.stringify(part));
  sizes.set(part, size);
  return size;
}

const dateSize = 'YYYY-MM-DD,'.length;

/** Returns the size of an event as JSON, in bytes, including its skipped and excluded dates. */
export function eventSize({ fields, calls, skipped, excluded }: StoredEvent): number {
  return sizeOf(fields) + sizeOf(calls) + (skipped.size + excluded.size) * dateSize;
}

/** Returns the size of a group and its events as JSON, in bytes. */
export function groupSize({ fields, events }: StoredGroup): number {
  return events.reduce((sum, event) => sum + eventSize(event), sizeOf(fields));
}

/** Returns the size of the schedule as JSON, in bytes. */
export function databaseSize({ groups, events }: Database): number {
  const grouped = groups.reduce((sum, group) => sum + groupSize(group), 0);
  return events.reduce((sum, event) => sum + eventSize(event), grouped);
}

/** Size of an instance as JSON without its name, in bytes. */
const minInstanceSize = 80;

/** Cache: the sizes of names as JSON. */
const nameSizes = new WeakMap<object, number>();

function nameSize(fields: { readonly name?: string }): number {
  const known = nameSizes.get(fields);
  if (known !== undefined) return known;
  const size = Buffer.byteLength(JSON.stringify(fields.name ?? ''));
  nameSizes.set(fields, size);
  return size;
}

/** Returns the size of an instance in a calendar as JSON, in bytes; exact enough for a limit. */
export function instanceSize({ event }: PlacedEvent): number {
  return minInstanceSize + nameSize(event.fields);
}

/** Returns the size of an affected event as JSON, in bytes; exact enough for a limit. */
export function affectedSize(place: PlacedEvent): number {
  const { group } = place;
  return instanceSize(place) + minInstanceSize + (group ? nameSize(group.fields) : 0);
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
