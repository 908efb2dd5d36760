import { type LocalizedMessage, localized } from '../catalogue/localized-message';
import { isRecord } from '../json';

/** Maximum number of events in a database: several times as many as a device needs. */
const maxEvents = 20_000;

/**
 * Maximum length of a text of an event or a group, in characters. The dates of ten years have 40,000
 * characters.
 */
const maxTextLength = 64 * 1024;

const texts = [
  'name',
  'tag',
  'start_date',
  'start_time',
  'rrule',
  'rdate',
  'exdate',
  'greyed_out_date',
] as const;

export interface Database {
  readonly groups: readonly Group[];
  readonly events: readonly DeviceEvent[];
}

export type DeviceEvent = Readonly<Record<string, unknown>>;

export interface Group {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly events: readonly DeviceEvent[];
}

export interface PlacedEvent {
  readonly event: DeviceEvent;
  readonly group?: Group;
}

/**
 * Parses the database in the device's answer.
 * @returns the reason if the answer is not a database; an empty database instead would make the caller create
 * all events again
 */
export function readDatabase(answer: unknown): Database | LocalizedMessage {
  const unreadable = localized('scheduleUnreadable');
  if (!isRecord(answer) || !Array.isArray(answer.events)) return unreadable;
  const { groups = [] } = answer;
  if (!Array.isArray(groups)) return unreadable;
  const database: Database = {
    events: answer.events.filter(isRecord),
    groups: groups.filter(isRecord).map((fields) => ({
      fields,
      events: Array.isArray(fields.events) ? fields.events.filter(isRecord) : [],
    })),
  };
  return whyTooLarge(database) ?? database;
}

function whyTooLarge(database: Database): LocalizedMessage | undefined {
  const events = placesIn(database).map(({ event }) => event);
  if (events.length > maxEvents) return localized('scheduleTooLarge', { count: String(maxEvents) });
  for (const record of [...events, ...database.groups.map(({ fields }) => fields)]) {
    const name = texts.find((text) => textOf(record, text).length > maxTextLength);
    if (name) return localized('scheduleTextTooLong', { name, count: String(maxTextLength) });
  }
  return undefined;
}

export function placesIn({ events, groups }: Database): PlacedEvent[] {
  return [
    ...events.map((event) => ({ event })),
    ...groups.flatMap((group) => group.events.map((event) => ({ event, group }))),
  ];
}

export function textOf(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

export function isEnabled({ enabled }: DeviceEvent): boolean {
  return !isOff(enabled);
}

/** Whether the device deletes the event, with all its days, after the event has rung (section 2.6a). */
export function isRemovedAfterwards({ auto_remove }: DeviceEvent): boolean {
  return auto_remove !== undefined && auto_remove !== null && auto_remove !== '' && !isOff(auto_remove);
}

export function isOff(value: unknown): boolean {
  return value === false || value === 0 || value === '0' || value === 'false';
}
