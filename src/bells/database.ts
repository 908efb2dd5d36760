import { isRecord } from '../json';
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
