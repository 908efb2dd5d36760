import type { NodeAPI } from 'node-red';
import type { Owed } from '../admin/answers';
import { knownAlerts } from '../alert/alerts';
import { knownEndings } from '../delivery/endings';
import type { Standing } from './rows';

/** What is on and owed at each device now, by its id: what alerts have there, and what `endAfter` is to end. */
export function standingOf(RED: NodeAPI): ReadonlyMap<string, Standing> {
  const found = new Map<string, { alerts: string[]; owed: Owed[] }>();
  const at = (deviceId: string) => {
    const standing = found.get(deviceId) ?? { alerts: [], owed: [] };
    found.set(deviceId, standing);
    return standing;
  };
  for (const { deviceId, alert, owed } of knownAlerts(RED)?.wanted() ?? []) {
    const standing = at(deviceId);
    if (alert !== undefined && !standing.alerts.includes(alert)) standing.alerts.push(alert);
    if (owed) standing.owed.push(owed);
  }
  for (const { device, node, operation, due } of knownEndings(RED)?.pending() ?? []) {
    const by = node.name || node.id;
    at(device.id).owed.push({ operation, by, due: new Date(due).toISOString() });
  }
  return found;
}
