import type { DurableMap } from '../../kernel/durable-map';
import type { SupervisionSettings } from './expectations';
import {
  type CheckResult,
  type Condition,
  conditionOf,
  type DeviceState,
  deviceStates,
  type Finding,
  isSameList,
  keysOf,
  type PersistedDevice,
  type ReportedState,
} from './finding';

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

/** A report of the first output. `initial` marks the first report of a device since it is known, or since a restart. */
export type Change = DeviceReport & { readonly initial?: true };

type DeviceRecord = Supervised & PersistedDevice;

/**
 * Decides which changes of devices are reported. The engine sends nothing and has no timer; all times are in
 * epoch milliseconds. A changed state is stored before the change is reported.
 */
export class SupervisionEngine {
  readonly #devices: Map<string, DeviceRecord>;

  /**
   * @param settings `misses`: number of consecutive checks without an answer after which a device is offline;
   * `initial`: whether the first result of a device is told in any case
   * @param states the states from before a deploy or a restart
   */
  constructor(
    private readonly settings: Pick<SupervisionSettings, 'misses' | 'initial'>,
    private readonly states: Pick<DurableMap<PersistedDevice>, 'entries' | 'set' | 'delete' | 'batch'>,
  ) {
    this.#devices = new Map(states.entries.map(([id, state]) => [id, { ...state, id, address: '' }]));
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
    void this.states.batch(() => {
      for (const device of devices) {
        const formerId = before.has(device.id) ? device.id : (formerIdOf(device) ?? device.id);
        const former = known.has(formerId) && formerId !== device.id ? undefined : before.get(formerId);
        const found = { ...(former ?? fresh(now)), ...device };
        const isSame = former?.name === device.name && former.where === device.where;
        if (isSame && formerId === device.id) this.#devices.set(device.id, found);
        else this.#store(found);
      }
      for (const id of before.keys()) if (!this.#devices.has(id)) void this.states.delete(id);
    });
  }

  get known(): Iterable<Supervised> {
    return this.#devices.values();
  }

  /** The address of a device is complete only after the first request to the device. */
  setAddress(id: string, address: string): void {
    const device = this.#devices.get(id);
    if (device) this.#devices.set(id, { ...device, address });
  }

  has(id: string): boolean {
    return this.#devices.has(id);
  }

  /** @returns the change to report; undefined if there is none */
  record(id: string, result: CheckResult, now: number): Change | undefined {
    const device = this.#devices.get(id);
    if (!device) return undefined;
    const isAnswered = result.kind === 'answered';
    const { misses } = this.settings;
    const missed = isAnswered ? 0 : Math.min(misses, device.missed + 1);
    const isOffline = missed >= misses || device.condition === 'offline';
    if (!isAnswered && !isOffline && !result.isCertain) {
      this.#update(device, { ...device, missed });
      return undefined;
    }
    const { findings, notChecked } = isAnswered ? result : { findings: [result.finding], notChecked: [] };
    const condition = conditionOf(findings);
    const turn = condition === device.condition ? {} : { condition, previous: device.condition, since: now };
    return this.#tell(device, { ...device, ...turn, findings, notChecked, missed }, now);
  }

  /** @param until end of the mask, in epoch milliseconds */
  mask(id: string, until: number): void {
    const device = this.#devices.get(id);
    if (device) this.#update(device, { ...device, maskedUntil: until });
  }

  unmask(id: string, now: number): Change | undefined {
    const device = this.#devices.get(id);
    if (device?.maskedUntil === undefined) return undefined;
    return this.#tell(device, { ...device, maskedUntil: undefined }, now);
  }

  endMasks(now: number): Change[] {
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

  /** Returns the change to report, if the device differs from the last report and is not masked. */
  #tell(before: DeviceRecord, device: DeviceRecord, now: number): Change | undefined {
    const { condition, reported, maskedUntil } = device;
    const isMasked = maskedUntil !== undefined && !isPast(device, now);
    const keys = keysOf(device.findings);
    const last = reported ?? neverReported;
    const isSame = last.condition === condition && isSameList(last.keys, keys);
    const isFirst = !reported || reported.isBeforeRestart;
    if (condition === 'unknown' || isMasked || (isSame && !isFirst)) {
      this.#update(before, device);
      return undefined;
    }
    this.#update(before, { ...device, reported: { condition, keys } });
    const isInitial = this.settings.initial && isFirst;
    if (isSame && !isInitial) return undefined;
    const report = reportOf(device, condition, reported?.condition ?? 'unknown');
    return isInitial ? { ...report, initial: true } : report;
  }

  /** A change of actual values alone is not stored, since some values differ in each check. */
  #update(before: DeviceRecord, device: DeviceRecord): void {
    const isSame =
      before.condition === device.condition &&
      before.missed === device.missed &&
      before.reported === device.reported &&
      before.maskedUntil === device.maskedUntil &&
      isSameList(before.notChecked, device.notChecked) &&
      isSameList(keysOf(before.findings), keysOf(device.findings));
    if (isSame) this.#devices.set(device.id, device);
    else this.#store(device);
  }

  #store(device: DeviceRecord): void {
    this.#devices.set(device.id, device);
    const { id, address: _, ...state } = device;
    void this.states.set(id, state);
  }
}

function fresh(now: number): Omit<PersistedDevice, keyof Supervised> {
  return {
    condition: 'unknown',
    previous: 'unknown',
    since: now,
    findings: [],
    notChecked: [],
    missed: 0,
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
