import { rowPassword } from '../../catalogue/row-passwords';
import { said, type Text } from '../../catalogue/saying';
import { SaidError, wordsOf } from '../../client/errors';
import { Device } from './device';
import { type DeviceProperties, isUnresolved, listOf } from './settings';
import type { DeviceSurroundings } from './surroundings';

/** The properties that all rows of a group share. */
const shared = [
  'auth',
  'tls',
  'certificate',
  'timeout',
  'queue',
  'rehearsal',
  'letDeviceDecide',
] as const satisfies readonly (keyof DeviceProperties)[];

/** The group whose rows are read. */
export interface RowsOwner {
  readonly id: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The password that the rows share, and those of their own by their keys. */
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly surroundings: DeviceSurroundings;
  /** The value of an environment variable as the group's node sees it; undefined where it is not set. */
  variable?(name: string): unknown;
}

/**
 * The rows as they are stored: a list, or its JSON text.
 * @throws Error whose message says what is wrong
 */
export function readRows(rows: unknown): readonly unknown[] {
  if (rows === undefined || rows === null || rows === '') return [];
  if (isUnresolved(rows)) throw new SaidError(said('unsetRows', { variable: rows }));
  const list = typeof rows === 'string' ? parsed(rows) : rows;
  if (Array.isArray(list)) return list;
  throw new SaidError(said('rowsNoList'));
}

/**
 * A device of each row. One that cannot work says why when it is used. Addresses are read only then: a deploy
 * may bring thousands.
 */
export function devicesOf(owner: RowsOwner, rows: readonly unknown[]): Device[] {
  const common = Object.fromEntries(shared.map((property) => [property, owner.properties[property]]));
  const names = new Map<string, number>();
  const sound: Device[] = [];
  const taken = new Set<string>();
  let holders: ReadonlyMap<string, Device> | undefined;
  return rows.map((row, index) => {
    const number = index + 1;
    const { name, address, tags, fingerprint, model } = resolved(owner, row);
    const called = String(name ?? '').trim() || String(address ?? '').trim() || `row ${number}`;
    const twin = names.get(called);
    const fixed = faultOf(row, name) ?? (twin ? said('rowTwin', { row: String(twin) }) : undefined);
    const password = passwordOf(owner, row, taken);
    const isMissing = password === undefined && String(common.auth).trim() !== 'none';
    const fault = (): Text | undefined => {
      holders ??= firstByUrl(sound);
      const holder = device.url === undefined ? undefined : holders.get(device.url);
      const clash = holder && holder !== device ? said('addressTwin', { device: holder.name }) : undefined;
      const reason = fixed ?? clash ?? (isMissing ? said('rowPassword') : undefined);
      return reason && said('inRow', { row: String(number), group: owner.name, reason });
    };
    const id = `${owner.id}${twin ? `#${number}` : ''}/${called}`;
    const properties = { ...common, name: called, address, tags: listOf(tags), fingerprint, model };
    const device = new Device(id, properties, password, owner.surroundings, fault);
    if (!twin) names.set(called, number);
    if (!fixed) sound.push(device);
    return device;
  });
}

/** Returns the devices by address; the first one of an address counts. */
function firstByUrl(devices: readonly Device[]): ReadonlyMap<string, Device> {
  const found = new Map<string, Device>();
  for (const device of devices) {
    if (device.url !== undefined && !found.has(device.url)) found.set(device.url, device);
  }
  return found;
}

/** Whether a row has a password of its own, which may be missing. */
export function hasOwnPassword(row: unknown): boolean {
  return isRow(row) && row.passwordKey !== undefined && row.passwordKey !== null && row.passwordKey !== '';
}

/**
 * The password of a row: its own, else the shared one. Undefined where its own is missing: that is no reason to send
 * it the shared one.
 * @param taken the keys of the rows before it: a password is that of one row
 */
function passwordOf({ credentials }: RowsOwner, row: unknown, taken: Set<string>): unknown {
  if (!isRow(row) || !hasOwnPassword(row)) return credentials.password ?? '';
  const key = rowPassword(row.passwordKey);
  if (key === undefined || taken.has(key)) return undefined;
  taken.add(key);
  return credentials[key] || undefined;
}

function faultOf(row: unknown, name: unknown): Text | undefined {
  if (!isRow(row)) return said('rowNoObject');
  return isUnresolved(name) ? said('unsetProperty', { property: 'name', variable: name }) : undefined;
}

/** Node-RED replaces variables in a list, but not within the JSON text of one. */
function resolved(owner: RowsOwner, row: unknown): Readonly<Record<string, unknown>> {
  if (!isRow(row)) return {};
  const replaced = (value: unknown) =>
    (isUnresolved(value) ? owner.variable?.(value.slice(2, -1)) : undefined) ?? value;
  const { name, address, tags, fingerprint, model } = row;
  return {
    name: replaced(name),
    address: replaced(address),
    tags: replaced(tags),
    fingerprint: replaced(fingerprint),
    model: replaced(model),
  };
}

function isRow(row: unknown): row is Readonly<Record<string, unknown>> {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SaidError(said('rowsUnreadable', { words: wordsOf(error) }));
  }
}
