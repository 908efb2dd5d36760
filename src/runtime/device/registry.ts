import type { DeviceError } from '../../client/errors';
import type { Device } from './device';

/** What messages name and deploys replace. */
interface Entry {
  readonly id: string;
  readonly name: string;
  /** A deploy has closed it. */
  readonly isClosed: boolean;
}

/** What is found under a word, in the order of the names. */
interface Found<T> {
  readonly all: Set<T>;
  inOrder?: readonly T[] | undefined;
}

/** Entries by a word, of which each may have several: found at the same cost among ten and ten thousand. */
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

  /** Sorted by name once, not for each message. */
  get(word: string): readonly T[] {
    const found = this.#found.get(word);
    if (!found) return [];
    found.inOrder ??= [...found.all].sort(byName);
    return found.inOrder;
  }
}

/** The entries of one kind by their ids and names. One that a deploy replaces keeps its place until its successor runs. */
class Directory<T extends Entry> {
  readonly #byId = new Map<string, T>();
  readonly #byName = new Index<T>();

  /** Returns whose place it took. */
  put(entry: T): T | undefined {
    const predecessor = this.#byId.get(entry.id);
    if (predecessor) this.#byName.remove(predecessor.name, predecessor);
    this.#byId.set(entry.id, entry);
    this.#byName.add(entry.name, entry);
    return predecessor;
  }

  /** Returns whether it was here: a successor may have its place already. */
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

  /** One that is being replaced is found only where no other has the name now. */
  named(name: string): readonly T[] {
    const named = this.#byName.get(name);
    const open = named.filter(({ isClosed }) => !isClosed);
    return open.length > 0 ? open : named;
  }

  /** Those that a deploy has closed and not started again yet. */
  get closed(): T[] {
    return [...this.#byId.values()].filter(({ isClosed }) => isClosed);
  }
}

/** Sorts by name, the same on every machine whatever its language. */
export function byName(a: Pick<Entry, 'id' | 'name'>, b: Pick<Entry, 'id' | 'name'>): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** A device of a group, or what is in its place with the reason. */
export type Member =
  | { readonly device: Device; readonly asked?: undefined; readonly error?: undefined }
  | { readonly device?: undefined; readonly asked: string; readonly error: DeviceError };

/** What is known of a group by those who find it. */
export interface DeviceGroup extends Entry {
  readonly dryRun: boolean;
  /** The devices that it has made itself. */
  readonly rows: readonly Device[];
  /**
   * The maximum number of its devices that are addressed in parallel.
   * @throws DeviceError NOT_CONFIGURED
   */
  readonly maxParallel: number;
  /** In their order, each once. */
  readonly members: readonly Member[];
  /** Whether a device belongs to it, without looking for all the others. */
  has(device: Pick<Device, 'id' | 'tags'>): boolean;
}

/** The devices and groups that run; messages name them, so they must be found by name. */
const devices = new Directory<Device>();
const groups = new Directory<DeviceGroup>();
const tagged = new Index<Device>();
/** Ids of the rows of groups: names for a device that may have others. */
const rowIds = new Set<string>();

type SuccessorCallback = (successor: Device | undefined) => void;

/** Callbacks that wait for the successor of a device, by its id. */
const waiting = new Map<string, Set<SuccessorCallback>>();

/** Devices whose successor is known, and not yet told to who waits for it. */
const known = new Set<string>();

/** Callbacks for the end of a deploy. */
const onlookers = new Set<() => void>();

let changes = 0;

/** As they were found at some number of changes. */
let located: { readonly at: number; readonly locations: Locations<Device> } | undefined;

/** Another number after each change: what was found before may be found otherwise now. */
export function registryVersion(): number {
  return changes;
}

/** Puts a device in its place, and its predecessor's where there was one. */
export function register(device: Device): void {
  const predecessor = devices.put(device);
  if (predecessor) {
    removeTags(predecessor);
    device.goOnFrom(predecessor);
  }
  for (const tag of device.tags) tagged.add(tag, device);
  changes += 1;
  tell(device.id);
}

/** Takes out a device that is deleted or disabled. */
export function deregister(device: Device): void {
  if (!devices.remove(device)) return;
  removeTags(device);
  changes += 1;
  tell(device.id);
}

/** Puts a group in its place, and its rows with it. */
export function registerGroup(group: DeviceGroup): void {
  groups.put(group);
  changes += 1;
  for (const row of group.rows) {
    rowIds.add(row.id);
    register(row);
  }
  tellAll();
}

/** Takes out a group that is deleted or disabled, and its rows with it. */
export function deregisterGroup(group: DeviceGroup): void {
  groups.remove(group);
  changes += 1;
  for (const row of group.rows) {
    rowIds.delete(row.id);
    deregister(row);
  }
  tellAll();
}

/** A deploy is over: what was closed by it and not started again is no more. */
export function forgetClosed(): void {
  for (const group of groups.closed) deregisterGroup(group);
  for (const device of devices.closed) deregister(device);
  for (const onSettled of [...onlookers]) onSettled();
}

/**
 * Tells when a deploy is over, and with it every change that it made.
 * @returns what ends the telling
 */
export function onSettled(listener: () => void): () => void {
  onlookers.add(listener);
  return () => onlookers.delete(listener);
}

/**
 * Waits for the device that a deploy puts in the place of one that it closed.
 * @param onTold called once, with undefined when there is none
 * @returns what ends the waiting
 */
export function awaitSuccessor({ id }: Device, onTold: SuccessorCallback): () => void {
  const current = devices.get(id);
  if (!current?.isClosed) {
    onTold(current);
    return () => {};
  }
  const listeners = waiting.get(id) ?? new Set();
  waiting.set(id, listeners.add(onTold));
  return () => listeners.delete(onTold);
}

export function deviceById(id: string): Device | undefined {
  return devices.get(id);
}

/** Those of groups' rows among them. */
export function everyDevice(): Iterable<Device> {
  return devices.all();
}

export function everyGroup(): Iterable<DeviceGroup> {
  return groups.all();
}

/** One that is being replaced is found only where no other has the name now. */
export function devicesNamed(name: string): readonly Device[] {
  return devices.named(name);
}

/** In the order of their names. */
export function devicesTagged(tag: string): readonly Device[] {
  return tagged.get(tag);
}

/** The same device by the one of its names that a message is addressed to. */
export function mainNameOf(device: Device): Device {
  return rowIds.size > 0 ? locations().mainOf(device) : device;
}

/** Ids of the same device under its other names; nearly always there are none. */
export function otherIdsOf(device: Device): readonly string[] {
  return locations().othersOf(device);
}

/**
 * The device at which something was begun, as it is found now. A node takes that along to its new address. A row is a
 * name for what is at its address: whatever it is called now, and whatever its old name is for, as long as something is
 * there at all.
 * @param where it was then
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

/** One that is being replaced is found only where no other has the name now. */
export function groupsNamed(name: string): readonly DeviceGroup[] {
  return groups.named(name);
}

function removeTags(device: Device): void {
  for (const tag of device.tags) tagged.remove(tag, device);
}

function tell(id: string): void {
  if (!waiting.has(id)) return;
  known.add(id);
  tellAll();
}

/** Not before every group is there again: whether a device is still meant may depend on it. */
function tellAll(): void {
  if (known.size === 0 || groups.closed.length > 0) return;
  for (const id of known) {
    known.delete(id);
    // The next deploy has closed the successor too.
    if (devices.get(id)?.isClosed) continue;
    const listeners = waiting.get(id);
    waiting.delete(id);
    for (const onTold of listeners ?? []) onTold(devices.get(id));
  }
}

/** What has a name, and is somewhere. */
interface Located {
  readonly id: string;
  /** The same for all that are one device; undefined where that cannot be told. */
  readonly where: string | undefined;
}

/** The names that lead to one place. */
interface Names<T> {
  readonly nodes: T[];
  readonly rows: T[];
}

/**
 * Which names lead to the same device. A row of a group is another name for a node, or for an earlier row, with its
 * address. Two nodes with one address stay two targets of a message, though there is one device.
 */
class Locations<T extends Located> {
  readonly #at = new Map<string, Names<T>>();

  /** @param isRow whether that of this id is a row */
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

  /** The one of its names that a message is addressed to. */
  mainOf(name: T): T {
    if (!this.isRow(name.id)) return name;
    const { nodes, rows } = this.#namesOf(name);
    return nodes[0] ?? rows[0] ?? name;
  }

  /** The one of the names that lead there. */
  at(where: string): T | undefined {
    const { nodes = [], rows = [] } = this.#at.get(where) ?? {};
    return nodes[0] ?? rows[0];
  }

  /** Ids of the same device under other names. */
  othersOf(name: T): string[] {
    const { nodes, rows } = this.#namesOf(name);
    return [...nodes, ...rows].flatMap(({ id }) => (id === name.id ? [] : id));
  }

  #namesOf({ where }: T): Names<T> {
    return (where === undefined ? undefined : this.#at.get(where)) ?? { nodes: [], rows: [] };
  }
}
