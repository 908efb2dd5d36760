import type { AlertView } from '../alert/alerts';
import type { OverviewRow } from '../answers';
import type { Device } from '../device/device';
import type { DeviceGroup } from '../device/registry';
import { alertRowOf, changeOf, type DeviceActivity, groupRowOf, rowOf } from './rows';

interface Sources {
  devices(): Iterable<Device>;
  groups(): Iterable<DeviceGroup>;
  version(): number;
  activities(): ReadonlyMap<string, DeviceActivity>;
  alerts(): Iterable<AlertView>;
}

interface Made {
  readonly device: Device;
  readonly revision: number;
  readonly activity: string;
}

const nothing: DeviceActivity = { alerts: [], pending: [] };

/**
 * The rows of the sidebar. While a sidebar is open, `refresh` compares the `revision` of each device, to find
 * the rows that must be made again. While no sidebar is open, only the counting of revisions costs time.
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

  refresh(): ReadonlySet<string> {
    const changed = new Set<string>();
    const isOther = this.sources.version() !== this.#version;
    if (isOther) this.#arrange(changed);
    const activities = this.sources.activities();
    for (const device of this.sources.devices())
      this.#look(device, activities.get(device.id), isOther, changed);
    if (changed.size > 0) for (const group of this.sources.groups()) this.#put(groupRowOf(group), changed);
    this.#lookAtAlerts(changed);
    return changed;
  }

  clear(): void {
    this.#rows.clear();
    this.#made.clear();
    this.#version = undefined;
  }

  #arrange(changed: Set<string>): void {
    this.#version = this.sources.version();
    const groupsOf = new Map<string, string[]>();
    const ids = new Set<string>();
    for (const { id, members } of this.sources.groups()) {
      ids.add(id);
      // Marks each group as changed, since a group without devices also needs a row.
      changed.add(id);
      for (const { device } of members) {
        if (device) groupsOf.set(device.id, [...(groupsOf.get(device.id) ?? []), id]);
      }
    }
    for (const { id } of this.sources.devices()) ids.add(id);
    for (const [id, { kind }] of this.#rows) {
      if (ids.has(id) || kind === 'alert') continue;
      this.#rows.delete(id);
      this.#made.delete(id);
      changed.add(id);
    }
    this.#groupsOf = groupsOf;
  }

  #look(device: Device, activity: DeviceActivity | undefined, isOther: boolean, changed: Set<string>): void {
    const { id, status } = device;
    const made = this.#made.get(id);
    const activityText = activity ? JSON.stringify(activity) : '';
    const isSame =
      made?.device === device && made.revision === status.revision && made.activity === activityText;
    if (isSame && !isOther) return;
    this.#made.set(id, { device, revision: status.revision, activity: activityText });
    this.#put(rowOf(device, activity ?? nothing, this.#groupsOf.get(id)), changed);
  }

  #lookAtAlerts(changed: Set<string>): void {
    const ids = new Set<string>();
    for (const alert of this.sources.alerts()) {
      ids.add(alert.id);
      this.#put(alertRowOf(alert), changed);
    }
    for (const [id, { kind }] of this.#rows) {
      if (kind !== 'alert' || ids.has(id)) continue;
      this.#rows.delete(id);
      changed.add(id);
    }
  }

  #put(row: OverviewRow, changed: Set<string>): void {
    const before = this.#rows.get(row.id);
    if (before && !changeOf(before, row)) return;
    this.#rows.set(row.id, row);
    changed.add(row.id);
  }
}
