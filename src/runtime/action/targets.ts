import { DeviceError } from '../../client/errors';
import type { Device } from '../device/device';
import { deviceById, devicesNamed, devicesTagged } from '../device/registry';
import { isUnresolved } from '../device/settings';

/** One target of a message: a device, or a name that led nowhere, with the reason. */
export type Target =
  | {
      readonly device: Device;
      readonly asked?: undefined;
      /** A group that it is a member of only rehearses. */
      readonly rehearsal?: boolean;
      readonly error?: undefined;
      /** Whether what a deploy puts in the device's place is still what the message means. */
      isMeant?(successor: Device): boolean;
    }
  | { readonly device?: undefined; readonly asked: string; readonly error: DeviceError; isMeant?: undefined; readonly rehearsal?: undefined };

export interface Targets {
  /** Never empty: a message without a target has one that says so. */
  readonly list: readonly Target[];
  /** One device was addressed as such, so its answer may become the payload. */
  readonly single: boolean;
}

export interface TargetProperties {
  readonly target?: unknown;
  readonly device?: unknown;
  readonly group?: unknown;
}

/** Finds the devices that a message is for, from the node's properties or from `msg.device`. */
export function findTargets(properties: TargetProperties, message: { readonly device?: unknown }): Targets {
  if (properties.target === 'msg') return namedTargets(message.device);
  if (properties.target === 'group') {
    return lost(String(properties.group ?? ''), 'Groups of devices are not available in this version');
  }
  const id = String(properties.device ?? '');
  if (isUnresolved(id)) return lost(id, `The device is ${id}, and that environment variable is not set`);
  if (id === '') return lost('', 'No device is chosen: open the node and choose one');
  const device = deviceById(id);
  if (device) return { list: [{ device }], single: true };
  return lost(id, 'The chosen device does not exist or is disabled: open the node and choose one');
}

function namedTargets(asked: unknown): Targets {
  const names = Array.isArray(asked) ? asked : [asked];
  const list = names.flatMap((name) => targetsNamed(name));
  if (list.length === 0) return lost('', 'msg.device is an empty list: there is no device to send to');
  const single = typeof asked === 'string' && list.length === 1 && !/^(?:tag|group):/.test(asked);
  return { list: unique(list), single };
}

function targetsNamed(asked: unknown): Target[] {
  if (typeof asked !== 'string' || asked === '') {
    return [nowhere('', 'msg.device must be the name of a device, "tag:…", or a list of these')];
  }
  if (asked.startsWith('group:')) {
    return [nowhere(asked, 'Groups of devices are not available in this version')];
  }
  if (asked.startsWith('tag:')) return targetsTagged(asked);
  const byId = deviceById(asked);
  const named = devicesNamed(asked);
  const [first] = byId ? [byId] : named;
  if (!first) return [nowhere(asked, `There is no device named "${cut(asked)}"`)];
  if (!byId && named.length > 1) {
    return [
      nowhere(asked, `${named.length} devices are named "${cut(asked)}": use the id of the one you mean`),
    ];
  }
  return [{ device: first, isMeant: ({ id, name }) => id === asked || name === asked }];
}

function targetsTagged(asked: string): Target[] {
  const tag = asked.slice('tag:'.length).trim();
  const tagged = devicesTagged(tag);
  if (tagged.length === 0) return [nowhere(asked, `No device has the tag of "${cut(asked)}"`)];
  return tagged.map((device) => ({ device, isMeant: ({ tags }) => tags.includes(tag) }));
}

/** A device meant twice is addressed once. */
function unique(targets: readonly Target[]): Target[] {
  const seen = new Set<Device>();
  return targets.filter(({ device }) => {
    if (!device) return true;
    if (seen.has(device)) return false;
    seen.add(device);
    return true;
  });
}

function lost(asked: string, reason: string): Targets {
  return { list: [nowhere(asked, reason)], single: false };
}

function nowhere(asked: string, reason: string): Target {
  return { asked, error: new DeviceError('NOT_CONFIGURED', `${reason}; nothing was sent`) };
}

/** What came in a message may be long; a sentence is not. */
function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
