import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import { rowPassword } from '../../catalogue/row-passwords';
import { DeviceError, LocalizedError, messageOf, wordsOf } from '../../client/errors';
import { isOn, isUnresolved, listOf, number, type PropertyFinding } from '../../kernel/property';
import { Device } from './device';
import {
  byName,
  type DeviceGroup,
  deviceById,
  devicesTagged,
  type Located,
  type Member,
  registryVersion,
} from './registry';
import { type DeviceProperties, notConfigured } from './settings';
import type { DeviceSurroundings } from './surroundings';

const shared = [
  'auth',
  'tls',
  'certificate',
  'timeout',
  'queueLimit',
  'dryRun',
  'letDeviceDecide',
] as const satisfies readonly (keyof DeviceProperties)[];

interface RowsOwner {
  readonly id: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The shared password of the rows, and the rows' own passwords by their keys. */
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly surroundings: DeviceSurroundings;
  variable?(name: string): unknown;
}

export function readRows(rows: unknown): readonly unknown[] {
  if (rows === undefined || rows === null || rows === '') return [];
  if (isUnresolved(rows)) throw new LocalizedError(localized('unsetRows', { variable: rows }));
  const list = typeof rows === 'string' ? parsed(rows) : rows;
  if (Array.isArray(list)) return list;
  throw new LocalizedError(localized('rowsNoList'));
}

/**
 * Creates a device for each row. The device of an invalid row rejects each request with the error of the row.
 * Addresses are parsed at the first use, since a deploy can contain thousands of rows.
 */
function devicesOf(owner: RowsOwner, rows: readonly unknown[]): Device[] {
  const common = commonOf(owner);
  const names = new Map<string, number>();
  const sound: Device[] = [];
  const taken = new Set<string>();
  let holders: ReadonlyMap<string, Device> | undefined;
  return rows.map((row, index) => {
    const number = index + 1;
    const { name, address, tags, fingerprint, model } = resolved(owner, row);
    const called = String(name ?? '').trim() || String(address ?? '').trim() || `row ${number}`;
    const twin = names.get(called);
    const fixed = faultOf(row, name) ?? (twin ? localized('rowTwin', { row: String(twin) }) : undefined);
    const password = passwordOf(owner, row, taken);
    const isMissing = password === undefined && String(common.auth).trim() !== 'none';
    const fault = (): Text | undefined => {
      holders ??= firstByUrl(sound);
      const holder = device.url === undefined ? undefined : holders.get(device.url);
      const clash =
        holder && holder !== device ? localized('addressTwin', { device: holder.name }) : undefined;
      const reason = fixed ?? clash ?? (isMissing ? localized('rowPassword') : undefined);
      return reason && joinMessages([reason, localized('inRow', { row: String(number), group: owner.name })]);
    };
    const id = `${owner.id}${twin ? `#${number}` : ''}/${called}`;
    const ownPassword = hasOwnPassword(row);
    const properties = {
      ...common,
      name: called,
      address,
      tags: listOf(tags),
      fingerprint,
      model,
      ownPassword,
    };
    const device = new Device(id, properties, password, owner.surroundings, fault);
    if (!twin) names.set(called, number);
    if (!fixed) sound.push(device);
    return device;
  });
}

function commonOf({ properties }: RowsOwner): DeviceProperties {
  return Object.fromEntries(shared.map((property) => [property, properties[property]]));
}

function firstByUrl(devices: readonly Device[]): ReadonlyMap<string, Device> {
  const found = new Map<string, Device>();
  for (const device of devices) {
    if (device.url !== undefined && !found.has(device.url)) found.set(device.url, device);
  }
  return found;
}

function hasOwnPassword(row: unknown): boolean {
  return isRow(row) && row.passwordKey !== undefined && row.passwordKey !== null && row.passwordKey !== '';
}

/**
 * Returns the row's own password, or else the shared password. Undefined if the row's own password is missing
 * or belongs to an earlier row: no other password may be sent.
 * @param taken the keys that earlier rows use
 */
function passwordOf({ credentials }: RowsOwner, row: unknown, taken: Set<string>): unknown {
  if (!isRow(row) || !hasOwnPassword(row)) return credentials.password ?? '';
  const key = rowPassword(row.passwordKey);
  if (key === undefined || taken.has(key)) return undefined;
  taken.add(key);
  return credentials[key] || undefined;
}

function faultOf(row: unknown, name: unknown): Text | undefined {
  if (!isRow(row)) return localized('rowNoObject');
  return isUnresolved(name) ? localized('unsetVariable', { name: 'name', variable: name }) : undefined;
}

/**
 * Replaces the environment variables of a row. Node-RED replaces variables in a list, but not in the JSON
 * text of a list.
 */
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
    throw new LocalizedError(localized('rowsUnreadable', { words: wordsOf(error) }));
  }
}

export const defaultMaxParallel = 100;

const readMaxParallel = number({ least: 1, isWhole: true, empty: defaultMaxParallel, isTrimmed: true });

/**
 * The stored properties of an `algo-group`. Node-RED has already replaced `${ENV}`, except for unset
 * variables and for `rows` in the form of JSON text. Each value can have any type.
 */
export interface GroupProperties
  extends Pick<
    DeviceProperties,
    'name' | 'auth' | 'tls' | 'certificate' | 'timeout' | 'queueLimit' | 'dryRun' | 'letDeviceDecide' | 'tags'
  > {
  readonly devices?: unknown;
  readonly rows?: unknown;
  readonly maxParallel?: unknown;
}

export class Group implements DeviceGroup {
  readonly name: string;
  readonly dryRun: boolean;
  readonly rows: readonly Device[];
  /**
   * Names without a password, for a warning: each row whose own password is missing, and the group if a row
   * needs the missing shared password.
   */
  readonly withoutPassword: readonly string[];
  readonly #devices: ReadonlySet<string>;
  readonly #maxParallel: number | PropertyFinding;
  readonly #tags: readonly string[];
  readonly #rowIds: ReadonlySet<string>;
  readonly #owner: RowsOwner;
  readonly #removed = new Map<string, Device>();
  readonly #faults: Member[] = [];
  #members: readonly Member[] = [];
  #foundAt: number | undefined;
  #closed = false;

  constructor(
    readonly id: string,
    private readonly properties: GroupProperties,
    credentials: Readonly<Record<string, unknown>>,
    surroundings: DeviceSurroundings,
    variable?: RowsOwner['variable'],
  ) {
    this.name = String(properties.name || id);
    this.dryRun = isOn(properties.dryRun);
    this.#maxParallel = readMaxParallel(properties.maxParallel, 'maxParallel');
    this.#devices = new Set(listOf(properties.devices));
    this.#tags = listOf(properties.tags);
    const owner = { id, name: this.name, properties: { ...properties }, credentials, surroundings };
    this.#owner = owner;
    const rows = this.#readRows();
    this.rows = devicesOf({ ...owner, ...(variable && { variable }) }, rows);
    const missing = this.rows.flatMap((row, index) => {
      if (row.hasPassword) return [];
      return hasOwnPassword(rows[index])
        ? `${JSON.stringify(row.name)} in ${JSON.stringify(this.name)}`
        : JSON.stringify(this.name);
    });
    this.withoutPassword = [...new Set(missing)];
    this.#rowIds = new Set(this.rows.map((row) => row.id));
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get maxParallel(): number {
    if (typeof this.#maxParallel === 'number') return this.#maxParallel;
    throw this.#unusable(this.#maxParallel.sentence);
  }

  /**
   * The current members: listed devices, rows, then tagged devices by name. Cached until the registry
   * changes. A member can be an error, for example for a listed device that was not found.
   */
  get members(): readonly Member[] {
    const version = registryVersion();
    if (this.#foundAt !== version) {
      this.#members = this.#findMembers();
      this.#foundAt = version;
    }
    return this.#members;
  }

  has({ id, tags }: Pick<Device, 'id' | 'tags'>): boolean {
    return this.#rowIds.has(id) || this.#devices.has(id) || tags.some((tag) => this.#tags.includes(tag));
  }

  removedRow({ id, name, where }: Required<Pick<Located, 'id' | 'name' | 'where'>>): Device {
    const { credentials, surroundings } = this.#owner;
    const properties = { ...commonOf(this.#owner), name, address: where };
    const device =
      this.#removed.get(id) ?? new Device(id, properties, credentials.password ?? '', surroundings);
    this.#removed.set(id, device);
    return device;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.rows, ...this.#removed.values()].map((row) => row.close()));
  }

  #findMembers(): Member[] {
    const listed = [...this.#devices].map((id) => this.#listed(id));
    const tagged = new Set(this.#tags.flatMap((tag) => devicesTagged(tag)));
    const others = [...tagged]
      .filter(({ id }) => !this.#devices.has(id) && !this.#rowIds.has(id))
      .sort(byName);
    const owners = new Map<string, Device>();
    const listedDevices = this.rows.length === 0 ? [] : [...listed.map(({ device }) => device), ...others];
    for (const device of listedDevices) if (device?.url !== undefined) owners.set(device.url, device);
    const rows = this.rows.map((row) => this.#rowOf(row, owners));
    return [...listed, ...rows, ...others.map((device) => ({ device })), ...this.#faults];
  }

  #listed(id: string): Member {
    const device = deviceById(id);
    if (device) return { device };
    const reason = isUnresolved(id)
      ? localized('unsetListed', { device: id })
      : localized('missingListed', { device: id });
    return { asked: id, error: this.#unusable(reason) };
  }

  #rowOf(row: Device, owners: ReadonlyMap<string, Device>): Member {
    const owner = owners.size > 0 && row.url !== undefined ? owners.get(row.url) : undefined;
    if (!owner) return { device: deviceById(row.id) ?? row };
    const reason = localized('addressTwin', { device: owner.name });
    const inGroup = localized('inGroup', { group: this.name });
    return { asked: row.name, error: notConfigured(row.name, joinMessages([reason, inGroup])) };
  }

  #readRows(): readonly unknown[] {
    for (const tag of this.#tags.filter(isUnresolved)) {
      this.#record(tag, localized('unsetTags', { variable: tag }));
    }
    try {
      return readRows(this.properties.rows);
    } catch (error) {
      this.#record(`group:${this.name}`, messageOf(error));
      return [];
    }
  }

  #record(asked: string, reason: Text): void {
    this.#faults.push({ asked, error: this.#unusable(reason) });
  }

  #unusable(reason: Text): DeviceError {
    return new DeviceError('NOT_CONFIGURED', reason, { place: localized('inGroup', { group: this.name }) });
  }
}
