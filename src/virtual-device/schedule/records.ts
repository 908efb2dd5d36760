import type { DeviceTraits } from '../checks/checks';
import { toneSeconds } from '../choices';
import { allEvents, type Database, type StoredCall, type StoredEvent, type StoredGroup } from './database';
import { dateOf, dayAt } from './days';
import { apiCalls, type CallFields, type EventFields, type GroupFields, maxApiCalls } from './fields';

export interface Surroundings {
  readonly device: DeviceTraits;
  readonly now: number;
}

/** A copy of the database on which one request works, and the mistakes in the request. */
export interface Draft extends Surroundings {
  database: Database;
  readonly mistakes: string[];
}

export function findGroup({ groups }: Database, groupid: number | undefined): StoredGroup | undefined {
  return groups.find((group) => group.groupid === groupid);
}

/**
 * Updates the event with the given id, or creates an event if the id is missing or unknown (section 4.13).
 * Returns the event.
 */
export function storeEvent(draft: Draft, name: string, given: EventFields, group?: StoredGroup): StoredEvent {
  refuseAlways(draft, name, given);
  const known = allEvents(draft.database).find(({ event: { evid } }) => evid === given.evid)?.event;
  const event = known
    ? updateEvent(known, given, draft)
    : createEvent(draft, name, given, group !== undefined);
  if (known && given.event_type !== undefined) requireFieldsOfType(draft, name, event.fields);
  if (event.fields.event_type === 'api_call' && given.api_call !== undefined) {
    const mistakes = apiCalls(given.api_call, `${name}.api_call`, draft.device);
    for (const mistake of mistakes) draft.mistakes.push(mistake);
    const entries = mistakes.length > 0 ? [] : (given.api_call as readonly CallFields[]);
    event.calls = storeCalls(draft, name, event.calls, entries);
    if (event.calls.length === 0 && mistakes.length === 0) draft.mistakes.push(`${name}.api_call is empty`);
  }
  if (!known) (group ?? draft.database).events.push(event);
  return event;
}

function refuseAlways(draft: Draft, name: string, fields: EventFields): void {
  if (fields.event_type === 'stream_audio' && draft.device.model.number !== '8301')
    draft.mistakes.push(`${name}.event_type: stream_audio exists on the 8301 only`);
  if (fields.delay !== undefined && (fields.start_date !== undefined || fields.start_time !== undefined))
    draft.mistakes.push(`${name}.delay must not come with start_date or start_time`);
  if (fields.delay !== undefined && startOf(fields, draft) === undefined)
    draft.mistakes.push(`${name}.delay must not lead beyond the year 9999`);
}

function updateEvent(event: StoredEvent, given: EventFields, surroundings: Surroundings): StoredEvent {
  const { evid: _, api_call: __, greyed_out_date: ___, delay: ____, duration, ...fields } = given;
  const isCall = (fields.event_type ?? event.fields.event_type) === 'api_call';
  const ownDuration = isCall && duration !== undefined ? { duration } : {};
  event.fields = { ...event.fields, ...fields, ...ownDuration, ...startOf(given, surroundings) };
  return event;
}

const yearTenThousand = Date.UTC(10_000, 0, 1);

/**
 * Returns date and time of the start of an event with a `delay` in seconds from now; undefined if there is no
 * `delay` or if the start is after the year 9999. The time is rounded up to a second: the event starts after its
 * delay, and not before the schedule that contains it is stored.
 */
function startOf(
  { delay }: EventFields,
  { now }: Pick<Surroundings, 'now'>,
): { start_date: string; start_time: string } | undefined {
  const at = (Math.ceil(now / 1000) + (delay ?? 0)) * 1000;
  if (delay === undefined || at >= yearTenThousand) return undefined;
  return { start_date: dateOf(dayAt(at)), start_time: new Date(at).toISOString().slice(11, 19) };
}

function createEvent(draft: Draft, name: string, given: EventFields, isNested: boolean): StoredEvent {
  demandEvent(draft, name, given, isNested);
  const { lastIds } = draft.database;
  lastIds.event += 1;
  const evid = lastIds.event;
  const { evid: _, api_call: __, greyed_out_date: ___, delay: ____, ...fields } = given;
  const isCall = fields.event_type === 'api_call';
  return {
    evid,
    fields: {
      color: colorFor(evid),
      enabled: 1,
      auto_remove: 0,
      ...(isCall ? {} : { duration: toneSeconds }),
      ...fields,
      ...startOf(given, draft),
    },
    calls: [],
    excluded: [],
    skipped: [],
  };
}

/**
 * Reports missing fields of section 2.6a, depending on the type; `color` is optional, and nested events need
 * no dates (docs/readings.md).
 */
function demandEvent(draft: Draft, name: string, fields: EventFields, isNested: boolean): void {
  const isDelayed = fields.delay !== undefined;
  requireFields(draft, name, fields, ['event_type', 'name']);
  requireFieldsOfType(draft, name, fields);
  if (fields.event_type === 'api_call') requireFields(draft, name, fields, ['api_call']);
  if (!isDelayed) requireFields(draft, name, fields, ['start_time']);
  // A delay replaces only date and time (section 4.13).
  if (!isDelayed && !isNested) requireFields(draft, name, fields, ['start_date']);
  if (!isNested) requireFields(draft, name, fields, ['rrule']);
  const generated = fields.event_type === 'api_call' ? ['greyed_out_date'] : ['duration', 'greyed_out_date'];
  for (const field of generated)
    if (Object.hasOwn(fields, field))
      draft.mistakes.push(`${name}.${field}: do not specify it, the device works it out`);
}

function requireFieldsOfType(draft: Draft, name: string, fields: Partial<EventFields>): void {
  if (fields.event_type !== 'stream_audio') requireFields(draft, name, fields, ['audio']);
  if (fields.event_type === 'sip_call' || fields.event_type === 'api_call')
    requireFields(draft, name, fields, ['extension']);
}

function requireFields(draft: Draft, name: string, fields: object, wanted: readonly string[]): void {
  for (const field of wanted)
    if (!Object.hasOwn(fields, field)) draft.mistakes.push(`${name}.${field} is missing`);
}

/** Returns the color of an event or a group that was sent without a color (section 2.6a). */
function colorFor(id: number): string {
  return `#${((id * 0x9e3779) & 0xffffff).toString(16).padStart(6, '0')}`;
}

function storeCalls(
  draft: Draft,
  name: string,
  before: readonly StoredCall[],
  entries: readonly CallFields[],
): StoredCall[] {
  const calls = before.map((call) => ({ ...call }));
  for (const [index, entry] of entries.entries()) {
    const known = calls.find(({ actid }) => actid === entry.actid);
    const { actid: _, ...fields } = entry;
    if (known) known.fields = { ...known.fields, ...fields };
    else calls.push(storeCall(draft, `${name}.api_call[${index}]`, entry));
  }
  if (calls.length > maxApiCalls)
    draft.mistakes.push(`${name}.api_call may hold ${maxApiCalls} entries, not ${calls.length}`);
  return calls;
}

function storeCall(draft: Draft, name: string, { actid: _, ...fields }: CallFields): StoredCall {
  requireFields(draft, name, fields, ['method', 'target', 'path', 'header']);
  const isSending = fields.method === 'POST' || fields.method === 'PUT';
  if (isSending && fields.payload === '') draft.mistakes.push(`${name}.payload is empty`);
  if (isSending) requireFields(draft, name, fields, ['payload']);
  const { lastIds } = draft.database;
  lastIds.call += 1;
  return { actid: lastIds.call, fields };
}

export function storeGroup(draft: Draft, name: string, given: GroupFields): StoredGroup {
  const { groupid, events, ...fields } = given;
  const { groups, lastIds } = draft.database;
  let group = findGroup(draft.database, groupid);
  if (group) group.fields = { ...group.fields, ...fields };
  else {
    requireFields(draft, name, given, ['name', 'start_date', 'rrule', 'events']);
    lastIds.group += 1;
    const color = colorFor(lastIds.group * 1009);
    group = { groupid: lastIds.group, fields: { color, ...fields }, events: [] };
    groups.push(group);
  }
  for (const [index, event] of (events ?? []).entries())
    storeEvent(draft, `${name}.events[${index}]`, event, group);
  return group;
}
