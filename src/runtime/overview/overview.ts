import type { OverviewRow } from '../answers';
import type { Device } from '../device/device';
import type { DeviceGroup } from '../device/registry';
import { changeOf, groupRowOf, rowOf, type Standing } from './rows';

/** Where the rows come from. */
interface Sources {
  devices(): Iterable<Device>;
  groups(): Iterable<DeviceGroup>;
  /** Another number after each change of devices and groups. */
  version(): number;
  /** What is on and owed, by the ids of devices. */
  standing(): ReadonlyMap<string, Standing>;
}

/** What a row was made of. */
interface Made {
  readonly device: Device;
  readonly revision: number;
  readonly standing: string;
}

const nothing: Standing = { alerts: [], owed: [] };

/**
 * All devices and groups as rows. Nobody tells it of a change: it looks, when somebody wants to see, at a number of
 * each device. So what nobody looks at costs no more than that number.
 */
export class Overview {
  readonly #rows = new Map<string, OverviewRow>();
  readonly #made = new Map<string, Made>();
  #groupsOf: ReadonlyMap<string, readonly string[]> = new Map();
  #version: number | undefined;

  constructor(private readonly sources: Sources) {}

  get rows(): ReadonlyMap<string, OverviewRow> {
    return this.#rows;
  }

  /** Brings the rows up to now. Returns the ids of those that have changed, came or went. */
  refresh(): ReadonlySet<string> {
    const changed = new Set<string>();
    const isOther = this.sources.version() !== this.#version;
    if (isOther) this.#arrange(changed);
    const standings = this.sources.standing();
    for (const device of this.sources.devices())
      this.#look(device, standings.get(device.id), isOther, changed);
    if (changed.size > 0) for (const group of this.sources.groups()) this.#put(groupRowOf(group), changed);
    return changed;
  }

  /** Nobody looks any more. */
  clear(): void {
    this.#rows.clear();
    this.#made.clear();
    this.#version = undefined;
  }

  /** A deploy has changed which devices and groups there are. */
  #arrange(changed: Set<string>): void {
    this.#version = this.sources.version();
    const groupsOf = new Map<string, string[]>();
    const ids = new Set<string>();
    for (const { id, members } of this.sources.groups()) {
      ids.add(id);
      // Also one of no devices is to be seen.
      changed.add(id);
      for (const { device } of members) {
        if (device) groupsOf.set(device.id, [...(groupsOf.get(device.id) ?? []), id]);
      }
    }
    for (const { id } of this.sources.devices()) ids.add(id);
    for (const id of this.#rows.keys()) {
      if (ids.has(id)) continue;
      this.#rows.delete(id);
      this.#made.delete(id);
      changed.add(id);
    }
    this.#groupsOf = groupsOf;
  }

  #look(device: Device, standing: Standing | undefined, isOther: boolean, changed: Set<string>): void {
    const { id, sight } = device;
    const made = this.#made.get(id);
    const told = standing ? JSON.stringify(standing) : '';
    const isSame = made?.device === device && made.revision === sight.revision && made.standing === told;
    if (isSame && !isOther) return;
    this.#made.set(id, { device, revision: sight.revision, standing: told });
    this.#put(rowOf(device, standing ?? nothing, this.#groupsOf.get(id)), changed);
  }

  #put(row: OverviewRow, changed: Set<string>): void {
    const before = this.#rows.get(row.id);
    if (before && !changeOf(before, row)) return;
    this.#rows.set(row.id, row);
    changed.add(row.id);
  }
}
