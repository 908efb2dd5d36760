import {
  type CheckResult,
  type Condition,
  conditionOf,
  type DeviceState,
  deviceStates,
  type Finding,
  isSameList,
  keysOf,
} from './finding';
import type { PersistedDevice, ReportedState } from './persisted-device';

export interface Supervised {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly where?: string | undefined;
}

/**
 * A finding as sent in a report. `subject` is left out, since the sentence in the field `message` names the
 * subject.
 */
export type ReportedFinding = Omit<Finding, 'subject'>;

export interface DeviceReport {
  readonly device: string;
  readonly address: string;
  readonly state: DeviceState;
  readonly previous: Condition;
  /** Time at which the device got its condition, in ISO 8601. */
  readonly since: string;
  readonly findings: readonly ReportedFinding[];
  readonly notChecked: readonly string[];
  /** End of the mask in ISO 8601; absent unless the device is masked. */
  readonly maskedUntil?: string;
}

export interface DeviceView extends Supervised {
  readonly condition: Condition;
  readonly state: DeviceState;
  readonly findings: readonly Finding[];
}

export type StateCounts = Readonly<Record<DeviceState, number>>;

export interface SupervisionReport extends StateCounts {
  readonly at: string;
  readonly total: number;
  readonly devices: readonly DeviceReport[];
}

/** The baseline of a device before its first report: a first result that is `ok` is not reported. */
const neverReported: ReportedState = { condition: 'ok', keys: [] };

interface DeviceRecord extends Supervised {
  condition: Condition;
  previous: Condition;
  since: number;
  findings: readonly Finding[];
  notChecked: readonly string[];
  /** Number of consecutive checks without an answer, at most `misses` of the node. */
  missed: number;
  reported: ReportedState | undefined;
  /** End of the mask in epoch milliseconds; undefined if there is no mask. */
  maskedUntil: number | undefined;
}

/**
 * Decides which changes of devices are reported. The engine sends nothing and has no timer; all times are in
 * epoch milliseconds.
 */
export class SupervisionEngine {
  readonly #devices = new Map<string, DeviceRecord>();
  readonly #changed = new Set<string>();

  /**
   * @param misses number of consecutive checks without an answer after which a device is offline
   * @param kept the states from before a deploy or a restart
   */
  constructor(
    private readonly misses: number,
    kept: Iterable<readonly [id: string, device: PersistedDevice]> = [],
  ) {
    for (const [id, device] of kept) {
      this.#devices.set(id, {
        ...device,
        id,
        address: '',
        reported: device.reported,
        maskedUntil: device.maskedUntil,
      });
    }
  }

  /**
   * Sets the supervised devices, and removes the state of each device that is not in `devices`.
   * @param formerIdOf returns the id under which a new device was known before; undefined for a device that
   * was not known
   */
  setDevices(
    devices: readonly Supervised[],
    now: number,
    formerIdOf: (device: Supervised) => string | undefined = () => undefined,
  ): void {
    const before = new Map(this.#devices);
    this.#devices.clear();
    const known = new Set(devices.map(({ id }) => id));
    for (const device of devices) {
      const formerId = before.has(device.id) ? device.id : (formerIdOf(device) ?? device.id);
      const former = known.has(formerId) && formerId !== device.id ? undefined : before.get(formerId);
      this.#devices.set(device.id, { ...(former ?? fresh(now)), ...device });
      const isSame = former?.name === device.name && former.where === device.where;
      if (!isSame || formerId !== device.id) this.#changed.add(device.id);
    }
    for (const id of before.keys()) if (!this.#devices.has(id)) this.#changed.add(id);
  }

  *known(): Generator<{ readonly id: string; readonly where: string | undefined }> {
    for (const { id, where } of this.#devices.values()) yield { id, where };
  }

  /** The address of a device is complete only after the first request to the device. */
  setAddress(id: string, address: string): void {
    const device = this.#devices.get(id);
    if (device) this.#devices.set(id, Object.assign(device, { address }));
  }

  has(id: string): boolean {
    return this.#devices.has(id);
  }

  /** @returns the change to report; undefined if there is none */
  record(id: string, result: CheckResult, now: number): DeviceReport | undefined {
    const device = this.#devices.get(id);
    if (!device) return undefined;
    if (result.kind === 'answered') {
      this.#set(device, result.findings, result.notChecked, now);
      this.#setMissed(device, 0);
    } else {
      this.#setMissed(device, Math.min(this.misses, device.missed + 1));
      if (device.missed < this.misses && !result.isCertain) return undefined;
      this.#set(device, [result.finding], [], now);
    }
    return this.#takeReport(device, now);
  }

  /** @param until end of the mask, in epoch milliseconds */
  mask(id: string, until: number): void {
    const device = this.#devices.get(id);
    if (!device) return;
    device.maskedUntil = until;
    this.#changed.add(id);
  }

  unmask(id: string, now: number): DeviceReport | undefined {
    const device = this.#devices.get(id);
    if (device?.maskedUntil === undefined) return undefined;
    device.maskedUntil = undefined;
    this.#changed.add(id);
    return this.#takeReport(device, now);
  }

  endMasks(now: number): DeviceReport[] {
    return [...this.#devices.values()].flatMap(
      (device) => (isPast(device, now) && this.unmask(device.id, now)) || [],
    );
  }

  get nextMaskEnd(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { maskedUntil = next } of this.#devices.values()) next = Math.min(next, maskedUntil);
    return next;
  }

  counts(): StateCounts {
    const counts = { offline: 0, fault: 0, warning: 0, unknown: 0, masked: 0, ok: 0 };
    for (const device of this.#devices.values()) counts[stateOf(device)] += 1;
    return counts;
  }

  report(now: number): SupervisionReport {
    const ranked = [...this.#devices.values()].sort(byRank);
    return {
      at: new Date(now).toISOString(),
      total: ranked.length,
      ...this.counts(),
      devices: ranked.map((device) => reportOf(device, stateOf(device), device.previous)),
    };
  }

  views(): DeviceView[] {
    return [...this.#devices.values()].map((device) => ({ ...device, state: stateOf(device) }));
  }

  takeChanges(): [id: string, kept: PersistedDevice | undefined][] {
    const changes = [...this.#changed].map((id): [string, PersistedDevice | undefined] => {
      const device = this.#devices.get(id);
      return [id, device && keptOf(device)];
    });
    this.#changed.clear();
    return changes;
  }

  #set(device: DeviceRecord, findings: readonly Finding[], notChecked: readonly string[], now: number): void {
    const condition = conditionOf(findings);
    const isSame =
      condition === device.condition &&
      isSameList(keysOf(findings), keysOf(device.findings)) &&
      isSameList(notChecked, device.notChecked);
    if (condition !== device.condition) {
      device.previous = device.condition;
      device.since = now;
      device.condition = condition;
    }
    device.findings = findings;
    device.notChecked = notChecked;
    // A change of actual values alone is not stored, since some values differ in each check.
    if (!isSame) this.#changed.add(device.id);
  }

  #setMissed(device: DeviceRecord, missed: number): void {
    if (device.missed === missed) return;
    device.missed = missed;
    this.#changed.add(device.id);
  }

  #takeReport(device: DeviceRecord, now: number): DeviceReport | undefined {
    if (device.condition === 'unknown') return undefined;
    if (device.maskedUntil !== undefined && !isPast(device, now)) return undefined;
    const before = device.reported ?? neverReported;
    const keys = keysOf(device.findings);
    const isSame = before.condition === device.condition && isSameList(before.keys, keys);
    if (isSame && device.reported) return undefined;
    const previous = device.reported?.condition ?? 'unknown';
    device.reported = { condition: device.condition, keys };
    this.#changed.add(device.id);
    return isSame ? undefined : reportOf(device, device.condition, previous);
  }
}

function fresh(now: number): Omit<DeviceRecord, keyof Supervised> {
  return {
    condition: 'unknown',
    previous: 'unknown',
    since: now,
    findings: [],
    notChecked: [],
    missed: 0,
    reported: undefined,
    maskedUntil: undefined,
  };
}

function isPast({ maskedUntil }: DeviceRecord, now: number): boolean {
  return maskedUntil !== undefined && maskedUntil <= now;
}

function stateOf({ maskedUntil, condition }: DeviceRecord): DeviceState {
  return maskedUntil === undefined ? condition : 'masked';
}

function byRank(a: DeviceRecord, b: DeviceRecord): number {
  const rank = deviceStates.indexOf(stateOf(a)) - deviceStates.indexOf(stateOf(b));
  if (rank !== 0) return rank;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function reportOf(device: DeviceRecord, state: DeviceState, previous: Condition): DeviceReport {
  const { name, address, since, findings, notChecked, maskedUntil } = device;
  return {
    device: name,
    address,
    state,
    previous,
    since: new Date(since).toISOString(),
    findings: findings.map(({ subject: _, ...finding }) => finding),
    notChecked: [...notChecked],
    ...(state === 'masked' &&
      maskedUntil !== undefined && { maskedUntil: new Date(maskedUntil).toISOString() }),
  };
}

function keptOf(device: DeviceRecord): PersistedDevice {
  const { name, where, condition, previous, since, findings, notChecked, missed, reported, maskedUntil } =
    device;
  return {
    name,
    condition,
    previous,
    since,
    findings,
    notChecked,
    missed,
    ...(where !== undefined && { where }),
    ...(reported && { reported }),
    ...(maskedUntil !== undefined && { maskedUntil }),
  };
}
