import type { NodeAPI } from 'node-red';
import { operation } from '../../catalogue/operation-name';
import type { Answer } from '../../client/client';
import { asDeviceError, describeFault } from '../../client/errors';
import { Semaphore } from '../../client/http/semaphore';
import { Abort } from '../../client/queue/entry';
import { backgroundClock } from '../../kernel/time/clock';
import { knownAlerts } from '../alert/alerts';
import { knownAnnouncements } from '../announce/announcements';
import type {
  OverviewAnnouncements,
  OverviewAsked,
  OverviewKnown,
  OverviewLease,
  OverviewNews,
  OverviewSupervision,
  PendingCommand,
} from '../answers';
import { existingAutoStopScheduler } from '../auto-stop/auto-stops';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import { deviceById, everyDevice, everyGroup, registryVersion } from '../device/registry';
import { pendingRollings } from '../message/rolling';
import { Overview } from '../overview/overview';
import { announcementsIn, type DeviceActivity, supervisionOf, worseOf } from '../overview/rows';
import { Watchers } from '../overview/watchers';
import { knownStates } from '../supervision/states';
import { textIn } from './dialog-values';

const topic = 'algo/overview';

/**
 * The watchers of each Node-RED, by its event emitter, since tests start several instances of Node-RED in one
 * process.
 */
const known = new WeakMap<NodeAPI['events'], Watchers>();

/**
 * Grants or renews the lease of a sidebar. The sidebar then sends the lease over the editor's connection to
 * Node-RED, and the updates arrive over the same connection.
 */
export async function answerWatch(RED: NodeAPI, body: unknown): Promise<OverviewLease> {
  const { lease } = Object(body) as { lease?: unknown };
  return { lease: watchersOf(RED).lease(lease) };
}

export async function answerAsk(body: unknown): Promise<OverviewAsked> {
  const { ids } = Object(body) as { ids?: unknown };
  const devices = (Array.isArray(ids) ? ids : []).flatMap((id) => deviceById(textIn(id)) ?? []);
  return { asked: askWhoTheyAre(devices) };
}

export async function answerKnown(body: unknown): Promise<OverviewKnown> {
  const { ids } = Object(body) as { ids?: unknown };
  const known = (Array.isArray(ids) ? ids : []).flatMap((id): [string, Identity][] => {
    const device = deviceById(textIn(id));
    return device?.knownIdentity.model === undefined ? [] : [[device.id, device.knownIdentity]];
  });
  return { known: Object.fromEntries(known) };
}

function watchersOf(RED: NodeAPI): Watchers {
  const watchers = known.get(RED.events) ?? begin(RED);
  known.set(RED.events, watchers);
  return watchers;
}

function begin(RED: NodeAPI): Watchers {
  const onFault = (fault: unknown) => RED.log.error(`[algo-device] ${describeFault(fault)}`);
  const watchers = new Watchers({
    overview: new Overview({
      devices: everyDevice,
      groups: everyGroup,
      version: registryVersion,
      activities: () => activitiesOf(RED),
      alerts: () => knownAlerts(RED)?.views() ?? [],
    }),
    timing: backgroundClock,
    // Without a session, the message would go to all connected editors.
    notify: (session: string, data: OverviewNews) => void RED.events.emit('comms', { topic, data, session }),
    onFault,
  });
  RED.events.on(`comms:message:${topic}`, (message: unknown) => {
    const { session, data } = Object(message) as { session?: unknown; data?: unknown };
    const { lease, over } = Object(data) as { lease?: unknown; over?: unknown };
    // Ignores invalid data, since an exception in this callback would end Node-RED.
    if (typeof lease !== 'string') return;
    if (over === true) watchers.release(lease);
    else if (typeof session === 'string') watchers.attach(lease, session);
  });
  RED.events.on('comms:connection-removed', (connection: unknown) => {
    watchers.detach(String(Object(connection).session));
  });
  return watchers;
}

const limitMs = 5_000;
const asking = new Semaphore(20);

/**
 * The devices whose identities are being read or wait to be read, so that a device gets only one such request
 * at a time.
 */
const underWay = new Set<Device>();

/**
 * Reads identities with the priority of polls, so messages go first. Returns the number of devices that get a
 * request; the results appear later in the devices' records.
 */
function askWhoTheyAre(devices: readonly Device[]): number {
  const asked = [...new Set(devices)].filter((device) => !underWay.has(device));
  for (const device of asked) {
    underWay.add(device);
    void ask(device);
  }
  return asked.length;
}

async function ask(device: Device): Promise<void> {
  await asking.enter(new Abort());
  const answer = await about(device);
  // After an error, the known identity is kept: the device might still be the same.
  if (answer) await device.recognition.ask(async () => answer);
  device.status.revision += 1;
  underWay.delete(device);
  asking.leave();
}

async function about(device: Device): Promise<Answer | undefined> {
  try {
    return await device.call(operation('info/about'), {}, { reading: true, withinMs: limitMs });
  } catch (error) {
    const { code, reason, fault } = asDeviceError(error);
    const at = new Date(device.timing.now()).toISOString();
    device.status.recordError('info/about', { code, reason, localizedReason: fault.reason }, at);
    return undefined;
  }
}

interface Activity extends DeviceActivity {
  readonly alerts: string[];
  readonly pending: PendingCommand[];
  announcements?: OverviewAnnouncements;
  supervision?: OverviewSupervision;
}

function activitiesOf(RED: NodeAPI): ReadonlyMap<string, DeviceActivity> {
  const found = new Map<string, Activity>();
  const at = (deviceId: string) => {
    const activity: Activity = found.get(deviceId) ?? { alerts: [], pending: [] };
    found.set(deviceId, activity);
    return activity;
  };
  for (const { deviceId, alert, pending } of knownAlerts(RED)?.engine.wanted() ?? []) {
    const activity = at(deviceId);
    if (alert !== undefined && !activity.alerts.includes(alert)) activity.alerts.push(alert);
    if (pending) activity.pending.push(pending);
  }
  for (const { device, node, operation, due } of existingAutoStopScheduler(RED)?.pending() ?? []) {
    const by = node.name || node.id;
    at(device.id).pending.push({ operation, by, due: new Date(due).toISOString() });
  }
  for (const { deviceId, pending } of pendingRollings(RED)) at(deviceId).pending.push(pending);
  const announcements = knownAnnouncements(RED);
  for (const device of announcements ? everyDevice() : []) {
    const shown = announcements && announcementsIn(announcements.playing(device));
    if (shown) at(device.id).announcements = shown;
  }
  for (const [id, kept] of knownStates(RED)?.devices() ?? []) {
    const activity = at(id);
    activity.supervision = worseOf(activity.supervision, supervisionOf(kept));
  }
  return found;
}
