import { isRecord } from '../json';
/** The scheduler's database as the device answers it (section 2.6a); nothing in it is sure to be there. */
export interface Database {
  readonly groups: readonly Group[];
  readonly events: readonly DeviceEvent[];
}

/** An event of the device, by the names of the wire. */
export type DeviceEvent = Readonly<Record<string, unknown>>;

export interface Group {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly events: readonly DeviceEvent[];
}

/** An event, and the group whose dates it follows. */
export interface Place {
  readonly event: DeviceEvent;
  readonly group?: Group;
}

/**
 * Reads what the device answered.
 * @returns nothing when it is no database: whoever takes that for an empty one creates everything twice
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

/** Every event: those that stand alone, then those in groups. */
export function placesIn({ events, groups }: Database): Place[] {
  return [
    ...events.map((event) => ({ event })),
    ...groups.flatMap((group) => group.events.map((event) => ({ event, group }))),
  ];
}

/** A field as text; empty when it is none. */
export function textOf(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/** Whether it happens at all: unless said, it does (section 2.6a). */
export function isEnabled({ enabled }: DeviceEvent): boolean {
  return !isOff(enabled);
}

/** Whether it is deleted with all its days once it has rung (section 2.6a). */
export function isRemovedAfterwards({ auto_remove }: DeviceEvent): boolean {
  return auto_remove !== undefined && auto_remove !== null && auto_remove !== '' && !isOff(auto_remove);
}

/** How the wire says no. */
export function isOff(value: unknown): boolean {
  return value === false || value === 0 || value === '0' || value === 'false';
}
