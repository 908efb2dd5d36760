import type { Alert, AlertState, AlertsById } from './alert';
import type { OutputState } from './output-state';
import { type DeviceLocation, locationOf } from './outputs';

interface DeviceState {
  readonly name: string;
  isOn: boolean;
  /** Whether an action of a dry run is on, so that nothing was sent. */
  isDry: boolean;
  isUnknown: boolean;
  isFailed: boolean;
}

/**
 * @param outputs the outputs of the alert
 * @param now time in epoch milliseconds
 * @returns the state of an alert, and the time until which it can only change by an event, in epoch milliseconds
 */
export function stateOf(
  alert: Alert,
  outputs: readonly OutputState[],
  alerts: AlertsById,
  now: number,
): { readonly state: AlertState; readonly until: number } {
  const pending = new Set<string>();
  const devices = new Map<string, DeviceState>();
  const about = (device: DeviceLocation, name: string) => {
    const where = locationOf(device);
    const known = devices.get(where) ?? { name, isOn: true, isDry: false, isUnknown: false, isFailed: false };
    devices.set(where, known);
    return known;
  };
  let until = Number.POSITIVE_INFINITY;
  for (const output of outputs) {
    const claim = output.claims.get(alert.id);
    const { on } = output;
    const { name } = on?.device ?? claim?.device ?? output.device;
    if (!claim) {
      pending.add(name);
      continue;
    }
    const device = about(output.device, name);
    // While another alert owns the output, the action of this alert is neither on nor failed.
    const owner = output.owner(alerts);
    const problem = !owner || owner.id === alert.id ? claim.problem : undefined;
    const isOn = !problem && output.isOnFor(alert.id, now);
    if (isOn) until = Math.min(until, on?.until ?? until);
    if (isOn && output.dryRun) device.isDry = true;
    if (!isOn || output.dryRun) device.isOn = false;
    if (problem === 'unknown' || problem === 'away') device.isUnknown = true;
    else if (problem && problem !== 'ended') device.isFailed = true;
  }
  for (const { device } of alert.isOn ? (alert.failures ?? []) : [])
    Object.assign(about(device, device.name), { isOn: false, isFailed: true });
  const { name, priority, drill, since, isOn, by = null, clearedBy = null, acknowledged = [] } = alert;
  const where = (holds: (device: DeviceState) => boolean) =>
    [...devices.values()].filter(holds).map((device) => device.name);
  const state: AlertState = {
    ...{ name, state: isOn ? 'active' : 'clearing', priority, drill, since },
    active: where((device) => device.isOn),
    unknown: where((device) => device.isUnknown),
    failed: where((device) => device.isFailed),
    pending: [...pending],
    dryRun: where((device) => device.isDry).length,
    ...{ by, clearedBy, acknowledged },
  };
  return { state, until };
}
