import type { Alert, AlertState, DeviceAction } from './alert';
import { OutputState, type WhereOf } from './output-state';
import { parseAlert, parseOutputState, toPersisted } from './persistence';
import { isReportKey, Reports, reportEntryIn } from './reports';

export const keyPrefix = 'alert/';
const alertPrefix = `${keyPrefix}is/`;
const outputPrefix = `${keyPrefix}at/`;
const dryRunPrefix = `${keyPrefix}dry-run/`;

export function entryIn(value: unknown, key: string): unknown {
  if (isReportKey(key)) return reportEntryIn(key, value);
  return key.startsWith(alertPrefix) ? parseAlert(value) && value : parseOutputState(key, value) && value;
}

export interface WantedOutput {
  readonly deviceId: string;
  /** Name of an alert that claims an output of the device; absent if `pending` is set. */
  readonly alert?: string;
  readonly pending?: { readonly operation: string; readonly by: string };
}

export interface DeviceLocation {
  readonly id: string;
  readonly where?: string | undefined;
}

interface DeviceState {
  readonly name: string;
  isOn: boolean;
  /** Whether an action of a dry run is on, so that nothing was sent. */
  isDry: boolean;
  isUnknown: boolean;
  isFailed: boolean;
}

/**
 * The alerts and the device outputs in memory, with an index of the outputs of each alert. Collects the
 * changes for the journal until `takeChanges` returns them.
 */
export class AlertStore {
  readonly alerts = new Map<string, Alert>();
  readonly lastNumber: number = 0;
  readonly lastOrder: number = 0;
  readonly #outputs = new Map<string, OutputState>();
  readonly #outputsOf = new Map<string, Set<OutputState>>();
  readonly #alertsAt = new WeakMap<OutputState, ReadonlySet<string>>();
  readonly #changed = new Set<string>();
  readonly reports: Reports;
  readonly loaded: readonly string[];

  /**
   * @param entries entries of the journal; invalid entries are ignored
   * @param sinceClear returns the current time in ISO 8601 (`now`), and the time since the clear of an alert
   * in milliseconds (`ms`, null if unknown)
   */
  constructor(
    entries: readonly (readonly [key: string, value: unknown])[],
    private readonly sinceClear: (alert: Alert) => { readonly now: string; readonly ms: number | null },
  ) {
    this.reports = new Reports(entries);
    for (const [key, value] of entries) {
      const alert = key.startsWith(alertPrefix) ? parseAlert(value) : undefined;
      if (alert) this.alerts.set(alert.id, alert);
      const output = alert || isReportKey(key) ? undefined : parseOutputState(key, value);
      if (output) this.#outputs.set(key, output);
    }
    this.loaded = [...this.alerts.keys()];
    this.reports.begin(this.alerts);
    this.lastOrder = this.reports.lastOrder;
    for (const output of this.#outputs.values()) {
      for (const id of output.claims.keys()) if (!this.alerts.get(id)?.isOn) output.claims.delete(id);
      for (const { order } of output.claims.values()) this.lastOrder = Math.max(this.lastOrder, order);
      this.lastNumber = Math.max(this.lastNumber, output.on?.number ?? 0);
      this.record(output);
    }
    for (const { id, order } of this.alerts.values()) {
      this.lastOrder = Math.max(this.lastOrder, order);
      this.forgetIfDone(id);
    }
  }

  outputs(): OutputState[] {
    return [...this.#outputs.values()];
  }

  outputsOf(alertId: string): OutputState[] {
    return [...(this.#outputsOf.get(alertId) ?? [])];
  }

  find(device: DeviceLocation, deviceOutput: string): OutputState | undefined {
    return this.#outputs.get(outputKey(device, deviceOutput));
  }

  outputsAt(device: DeviceLocation): OutputState[] {
    const at = locationOf(device);
    return [...this.#outputs.values()].filter((output) => locationOf(output.device) === at);
  }

  at({ device, deviceOutput, dryRun = false }: Omit<DeviceAction, 'action'>): OutputState {
    const key = keyOf(device, deviceOutput, dryRun);
    const output = this.#outputs.get(key) ?? new OutputState(key, device, deviceOutput, dryRun);
    this.#outputs.set(key, output);
    return output;
  }

  /**
   * Moves outputs to the current locations of their devices. All outputs move together, because one output
   * can take the key that another output leaves. An output with a request under way stays.
   * @returns the outputs that might have changed
   */
  move(whereOf: WhereOf, outputs: readonly OutputState[]): OutputState[] {
    const parts = outputs.flatMap((output) => output.splitByLocation(whereOf));
    const moving = parts.flatMap(({ output, where }) => {
      const device = where === undefined ? output.device : { ...output.device, where };
      const key = keyOf(device, output.deviceOutput, output.dryRun);
      return key === output.key ? [] : [{ output, device, key }];
    });
    // New keys are written before old keys are deleted, because a crash can come between the two writes.
    for (const { key } of moving) this.#changed.add(key);
    for (const { output } of moving) {
      if (this.#outputs.get(output.key) === output) this.#outputs.delete(output.key);
      if (output.key !== '') this.#changed.add(output.key);
    }
    const reached = moving.flatMap(({ output, device, key }) => {
      const other = this.#outputs.get(key);
      output.key = key;
      output.device = device;
      this.#outputs.set(key, other ?? output);
      if (!other) return [output];
      other.merge(output);
      this.record(output);
      return [output, other];
    });
    const left = parts.filter(({ isRenamed }) => isRenamed || moving.length > 0).map(({ output }) => output);
    return [...new Set([...left, ...reached])];
  }

  put(alert: Alert): void {
    this.alerts.set(alert.id, alert);
    this.#changed.add(alertPrefix + alert.id);
  }

  /**
   * Called after each change of an output. Updates the index and the changes, removes an empty output, and
   * forgets a cleared alert that has no output left.
   */
  record(output: OutputState): void {
    this.#changed.add(output.key);
    const before = this.#alertsAt.get(output) ?? new Set();
    const now = new Set([...output.claims.keys(), ...output.pending]);
    for (const { alert } of output.underWay) now.add(alert);
    this.#alertsAt.set(output, now);
    for (const id of now) {
      if (!this.#outputsOf.get(id)?.add(output)) this.#outputsOf.set(id, new Set([output]));
    }
    for (const id of before) {
      if (now.has(id)) continue;
      this.#outputsOf.get(id)?.delete(output);
      this.forgetIfDone(id);
    }
    if (output.isEmpty && this.#outputs.get(output.key) === output) this.#outputs.delete(output.key);
  }

  forgetIfDone(alertId: string): void {
    const alert = this.alerts.get(alertId);
    if (!alert || alert.isOn || this.#outputsOf.get(alertId)?.size) return;
    this.alerts.delete(alertId);
    this.#changed.add(alertPrefix + alertId);
    const { now, ms } = this.sinceClear(alert);
    this.reports.close(alert, ms, now);
  }

  state(alertId: string, at: number): AlertState | undefined {
    const alert = this.alerts.get(alertId);
    if (!alert) return undefined;
    const pending = new Set<string>();
    const devices = new Map<string, DeviceState>();
    const about = ({ id, where = id }: DeviceLocation, name: string) => {
      const known = devices.get(where) ?? {
        ...{ name, isOn: true, isDry: false },
        ...{ isUnknown: false, isFailed: false },
      };
      devices.set(where, known);
      return known;
    };
    for (const output of this.outputsOf(alertId)) {
      const claim = output.claims.get(alertId);
      const { name } = output.on?.device ?? claim?.device ?? output.device;
      if (!claim) {
        pending.add(name);
        continue;
      }
      const device = about(output.device, name);
      // While another alert owns the output, the action of this alert is neither on nor failed.
      const owner = output.owner(this.alerts);
      const problem = !owner || owner.id === alertId ? claim.problem : undefined;
      const isOn = !problem && output.isOnFor(alertId, at);
      if (isOn && output.dryRun) device.isDry = true;
      if (!isOn || output.dryRun) device.isOn = false;
      if (problem === 'unknown' || problem === 'away') device.isUnknown = true;
      else if (problem && problem !== 'ended') device.isFailed = true;
    }
    for (const { device } of alert.isOn ? (alert.failures ?? []) : []) {
      const failed = about(device, device.name);
      failed.isOn = false;
      failed.isFailed = true;
    }
    const { name, priority, drill, since, isOn } = alert;
    const { by = null, clearedBy = null, acknowledged = [] } = alert;
    const state = isOn ? 'active' : 'clearing';
    const where = (holds: (device: DeviceState) => boolean) =>
      [...devices.values()].filter(holds).map((device) => device.name);
    return {
      ...{ name, state, priority, drill, since },
      active: where((device) => device.isOn),
      unknown: where((device) => device.isUnknown),
      failed: where((device) => device.isFailed),
      pending: [...pending],
      dryRun: where((device) => device.isDry).length,
      ...{ by, clearedBy, acknowledged: acknowledged.map((one) => ({ ...one })) },
    };
  }

  *wanted(): Generator<WantedOutput> {
    const nameOf = (id: string) => this.alerts.get(id)?.name || id;
    for (const output of this.#outputs.values()) {
      if (output.dryRun) continue;
      const step = output.step(this.alerts);
      const isStop = step?.kind === 'end' && !step.isBeforeStart;
      const operation = isStop ? step.action.end?.operation : step?.action.operation;
      for (const [id, { device }] of output.claims) yield { deviceId: device.id, alert: nameOf(id) };
      if (step && operation !== undefined)
        yield { deviceId: step.device.id, pending: { operation, by: nameOf(step.alert) } };
    }
  }

  /**
   * Returns the changes since the last call: keys of the journal with their new values; undefined deletes a
   * key.
   */
  takeChanges(): [key: string, value: unknown][] {
    const changes = [...this.#changed].map((key): [string, unknown] => {
      const output = this.#outputs.get(key);
      return [key, output ? toPersisted(output) : this.alerts.get(key.slice(alertPrefix.length))];
    });
    this.#changed.clear();
    // A closed report is written before its alert is deleted, because a crash can come between the two
    // writes.
    return [...this.reports.takeChanges(), ...changes];
  }
}

function keyOf(device: DeviceLocation, deviceOutput: string, dryRun: boolean): string {
  return dryRun ? `${dryRunPrefix}${locationOf(device)}/${deviceOutput}` : outputKey(device, deviceOutput);
}

export function outputKey(device: DeviceLocation, deviceOutput: string): string {
  return `${outputPrefix}${locationOf(device)}/${deviceOutput}`;
}

/** Returns the same text for all names of a device. */
export function locationOf({ id, where = id }: DeviceLocation): string {
  return where;
}
