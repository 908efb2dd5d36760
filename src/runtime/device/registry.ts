import type { NodeAPI } from 'node-red';
import type { DeviceError } from '../../client/errors';
import type { Device } from './device';

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly isClosed: boolean;
}

interface Found<T> {
  readonly all: Set<T>;
  inOrder?: readonly T[] | undefined;
}

class Index<T extends Entry> {
  readonly #found = new Map<string, Found<T>>();

  add(word: string, entry: T): void {
    const found = this.#found.get(word) ?? { all: new Set() };
    found.all.add(entry);
    found.inOrder = undefined;
    this.#found.set(word, found);
  }

  remove(word: string, entry: T): void {
    const found = this.#found.get(word);
    if (!found?.all.delete(entry)) return;
    found.inOrder = undefined;
    if (found.all.size === 0) this.#found.delete(word);
  }

  get(word: string): readonly T[] {
    const found = this.#found.get(word);
    if (!found) return [];
    found.inOrder ??= [...found.all].sort(byName);
    return found.inOrder;
  }
}

/**
 * The entries of one kind, by id and by name. A closed entry stays until its successor is added or the entry
 * is removed.
 */
class Directory<T extends Entry> {
  readonly #byId = new Map<string, T>();
  readonly #byName = new Index<T>();

  put(entry: T): T | undefined {
    const predecessor = this.#byId.get(entry.id);
    if (predecessor) this.#byName.remove(predecessor.name, predecessor);
    this.#byId.set(entry.id, entry);
    this.#byName.add(entry.name, entry);
    return predecessor;
  }

  remove(entry: T): boolean {
    if (this.#byId.get(entry.id) !== entry) return false;
    this.#byId.delete(entry.id);
    this.#byName.remove(entry.name, entry);
    return true;
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<T> {
    return this.#byId.values();
  }

  /** Returns the open entries with this name; closed entries only if there is no open entry. */
  named(name: string): readonly T[] {
    const named = this.#byName.get(name);
    const open = named.filter(({ isClosed }) => !isClosed);
    return open.length > 0 ? open : named;
  }

  get closed(): T[] {
    return [...this.#byId.values()].filter(({ isClosed }) => isClosed);
  }
}

export function byName(a: Pick<Entry, 'id' | 'name'>, b: Pick<Entry, 'id' | 'name'>): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

export type Member =
  | { readonly device: Device; readonly asked?: undefined; readonly error?: undefined }
  | { readonly device?: undefined; readonly asked: string; readonly error: DeviceError };

export interface DeviceGroup extends Entry {
  readonly dryRun: boolean;
  readonly rows: readonly Device[];
  /**
   * Maximum number of the group's devices that are addressed in parallel.
   * @throws DeviceError NOT_CONFIGURED if the setting is invalid
   */
  readonly maxParallel: number;
  readonly members: readonly Member[];
  has(device: Pick<Device, 'id' | 'tags'>): boolean;
  /** Returns the device of a row that is no longer in the group, with the login of the group. */
  removedRow(row: Required<Pick<Located, 'id' | 'name' | 'where'>>): Device;
}

/** A device as a command that was started earlier knows it. */
export interface Located {
  readonly id: string;
  readonly name: string;
  readonly where?: string | undefined;
  readonly ownPassword?: true | undefined;
}

const devices = new Directory<Device>();
const groups = new Directory<DeviceGroup>();
const tagged = new Index<Device>();
/** Ids of devices that rows of groups define. A row can be a second name of a device. */
const rowIds = new Set<string>();

/** The devices of rows that were removed while something was on there. */
const removedRows = new Map<string, Device>();

type SuccessorCallback = (successor: Device | undefined) => void;

const waiting = new Map<string, Set<SuccessorCallback>>();

const known = new Set<string>();

const onlookers = new Set<() => void>();

let changes = 0;

let located: { readonly at: number; readonly locations: Locations<Device> } | undefined;

export function registryVersion(): number {
  return changes;
}

export function register(device: Device): void {
  const predecessor = devices.put(device);
  if (predecessor) {
    removeTags(predecessor);
    device.goOnFrom(predecessor);
  }
  for (const tag of device.tags) tagged.add(tag, device);
  changes += 1;
  notify(device.id);
}

export function deregister(device: Device): void {
  if (!devices.remove(device)) return;
  removeTags(device);
  changes += 1;
  notify(device.id);
}

export function registerGroup(group: DeviceGroup): void {
  groups.put(group);
  changes += 1;
  for (const row of group.rows) {
    rowIds.add(row.id);
    register(row);
  }
  notifyAll();
}

export function deregisterGroup(group: DeviceGroup): void {
  groups.remove(group);
  changes += 1;
  for (const row of group.rows) {
    rowIds.delete(row.id);
    deregister(row);
  }
  notifyAll();
}

/** Removes all entries that a deploy has closed and not created again. Called at the end of the deploy. */
export function forgetClosed(): void {
  for (const group of groups.closed) deregisterGroup(group);
  for (const device of devices.closed) deregister(device);
  for (const onSettled of [...onlookers]) onSettled();
}

/**
 * Calls `forgetClosed` at the end of each deploy, before all other listeners. The listener is removed first,
 * since nodes can be loaded several times.
 */
export function followDeploys({ events }: Pick<NodeAPI, 'events'>): void {
  events.off('flows:started', forgetClosed).prependListener('flows:started', forgetClosed);
}

/**
 * Adds a listener that is called at the end of each deploy, after all changes to the registry, also in flows
 * without devices.
 * @returns a function that removes the listener
 */
export function onSettled(RED: Pick<NodeAPI, 'events'>, listener: () => void): () => void {
  followDeploys(RED);
  onlookers.add(listener);
  return () => onlookers.delete(listener);
}

/**
 * Waits for the device that replaces a closed device.
 * @param onSuccessor called at most once, possibly immediately; with undefined if there is no successor
 * @returns a function that cancels the wait
 */
export function awaitSuccessor({ id }: Device, onSuccessor: SuccessorCallback): () => void {
  const current = devices.get(id);
  if (!current?.isClosed) {
    onSuccessor(current);
    return () => {};
  }
  const listeners = waiting.get(id) ?? new Set();
  waiting.set(id, listeners.add(onSuccessor));
  return () => listeners.delete(onSuccessor);
}

export function deviceById(id: string): Device | undefined {
  const removed = removedRows.get(id);
  return devices.get(id) ?? (removed?.isClosed ? undefined : removed);
}

/**
 * Returns the id under which a stop or a retry reaches its device. For a row that was removed from its group,
 * the device gets the login of the group, as long as the group exists. A row with a password of its own is
 * not reached: the password of the group must not be sent to its address.
 */
export function idOfStarted({ id, name, where, ownPassword }: Located): string {
  const found = foundAgain({ id, where });
  if (found) return found.id;
  const group = groups.get(/^[^#/]*/.exec(id)?.[0] ?? '');
  if (group && !group.isClosed && where !== undefined && !ownPassword && !where.startsWith('virtual '))
    removedRows.set(id, group.removedRow({ id, name, where }));
  return id;
}

export function everyDevice(): Iterable<Device> {
  return devices.all();
}

export function everyGroup(): Iterable<DeviceGroup> {
  return groups.all();
}

export function devicesNamed(name: string): readonly Device[] {
  return devices.named(name);
}

export function devicesTagged(tag: string): readonly Device[] {
  return tagged.get(tag);
}

/** Returns the main name of a device, so that two names of one device can be recognized. */
export function mainNameOf(device: Device): Device {
  return rowIds.size > 0 ? locations().mainOf(device) : device;
}

export function otherIdsOf(device: Device): readonly string[] {
  return locations().othersOf(device);
}

/**
 * Returns the current device for an operation that was started earlier. For a row whose address has changed,
 * returns the device at the old address, or else the row.
 * @param where location of the device when the operation was started
 */
export function foundAgain({
  id,
  where,
}: Pick<Device, 'id'> & { readonly where?: string | undefined }): Device | undefined {
  const device = devices.get(id);
  if (device && (where === undefined || device.where === where || !rowIds.has(id))) return device;
  return (where === undefined ? undefined : locations().at(where)) ?? device;
}

function locations(): Locations<Device> {
  if (located?.at !== changes) {
    located = { at: changes, locations: new Locations(devices.all(), (id) => rowIds.has(id)) };
  }
  return located.locations;
}

export function groupById(id: string): DeviceGroup | undefined {
  return groups.get(id);
}

export function groupsNamed(name: string): readonly DeviceGroup[] {
  return groups.named(name);
}

function removeTags(device: Device): void {
  for (const tag of device.tags) tagged.remove(tag, device);
}

function notify(id: string): void {
  if (!waiting.has(id)) return;
  known.add(id);
  notifyAll();
}

/**
 * Calls the callbacks of `awaitSuccessor`, but not while a group is closed: the next group with its id
 * decides whether a message is still meant for its devices.
 */
function notifyAll(): void {
  if (known.size === 0 || groups.closed.length > 0) return;
  for (const id of known) {
    known.delete(id);
    // The next deploy has already closed this successor, so the callbacks wait for the next successor.
    if (devices.get(id)?.isClosed) continue;
    const listeners = waiting.get(id);
    waiting.delete(id);
    for (const onSuccessor of listeners ?? []) onSuccessor(devices.get(id));
  }
}

interface Names<T> {
  readonly nodes: T[];
  readonly rows: T[];
}

/**
 * An index of the names that lead to the same device. A row of a group is another name of a node, or of an
 * earlier row, with the same address.
 */
class Locations<T extends Pick<Device, 'id' | 'where'>> {
  readonly #at = new Map<string, Names<T>>();

  constructor(
    all: Iterable<T>,
    private readonly isRow: (id: string) => boolean,
  ) {
    for (const name of all) {
      const { id, where } = name;
      if (where === undefined) continue;
      const names = this.#at.get(where) ?? { nodes: [], rows: [] };
      names[isRow(id) ? 'rows' : 'nodes'].push(name);
      this.#at.set(where, names);
    }
  }

  /**
   * Returns the main name of a device. For a row, returns the first node with its location, or else the first
   * row. For a node, returns the node.
   */
  mainOf(name: T): T {
    if (!this.isRow(name.id)) return name;
    const { nodes, rows } = this.#namesOf(name);
    return nodes[0] ?? rows[0] ?? name;
  }

  at(where: string): T | undefined {
    const { nodes = [], rows = [] } = this.#at.get(where) ?? {};
    return nodes[0] ?? rows[0];
  }

  othersOf(name: T): string[] {
    const { nodes, rows } = this.#namesOf(name);
    return [...nodes, ...rows].flatMap(({ id }) => (id === name.id ? [] : id));
  }

  #namesOf({ where }: T): Names<T> {
    return (where === undefined ? undefined : this.#at.get(where)) ?? { nodes: [], rows: [] };
  }
}
