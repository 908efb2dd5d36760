import { isRecord } from '../json';
/** The database of the device's scheduler (section 2.6a). Any field of its records can be missing. */
export interface Database {
  readonly groups: readonly Group[];
  readonly events: readonly DeviceEvent[];
}

/** An event of the device, by its wire names. */
export type DeviceEvent = Readonly<Record<string, unknown>>;

/** A group, which provides the dates of its events. */
export interface Group {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly events: readonly DeviceEvent[];
}

/** An event and, if in a group, the group that provides its dates. */
export interface PlacedEvent {
  readonly event: DeviceEvent;
  readonly group?: Group;
}

/**
 * Parses the database in the device's answer.
 * @returns undefined if invalid; an empty database instead would make the caller create all events again
 */
export function readDatabase(answer: unknown): Database | undefined {
  if (!isRecord(answer) || !Array.isArray(answer.events)) return undefined;
  const { groups = [] } = answer;
  if (!Array.isArray(groups)) return undefined;
  return {
    events: answer.events.filter(isRecord),
    groups: groups.filter(isRecord).map((fields) => ({
      fields,
      events: Array.isArray(fields.events) ? fields.events.filter(isRecord) : [],
    })),
  };
}

/** Returns all events: first those outside groups, then those in groups. */
export function placesIn({ events, groups }: Database): PlacedEvent[] {
  return [
    ...events.map((event) => ({ event })),
    ...groups.flatMap((group) => group.events.map((event) => ({ event, group }))),
  ];
}

/** Returns a field as text; empty if the field is neither text nor number. */
export function textOf(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/** Whether an event is enabled, which is the default (section 2.6a). */
export function isEnabled({ enabled }: DeviceEvent): boolean {
  return !isOff(enabled);
}

/** Whether the device deletes an event with all its days after it has rung (section 2.6a). */
export function isRemovedAfterwards({ auto_remove }: DeviceEvent): boolean {
  return auto_remove !== undefined && auto_remove !== null && auto_remove !== '' && !isOff(auto_remove);
}

/** Whether a value of the device means false. */
export function isOff(value: unknown): boolean {
  return value === false || value === 0 || value === '0' || value === 'false';
}
