import type { Node, NodeAPI } from 'node-red';
import { lastSent } from '../flows-stopped';
import type { Open } from '../lazy';
import { Device } from './device';
import { Group, type GroupProperties } from './group';
import type { DeviceRecord } from './record';
import { deregister, deregisterGroup, register, registerGroup } from './registry';
import type { DeviceProperties } from './settings';
import { surroundingsOf } from './surroundings';

interface DeviceNode extends Node<{ password?: unknown }> {
  record(): DeviceRecord;
}

export function deviceNode(RED: NodeAPI): Open<DeviceProperties> {
  return (created, definition) => {
    const node = created as DeviceNode;
    const { password } = node.credentials ?? {};
    const device = new Device(node.id, definition, password, surroundingsOf(RED, node, definition));
    register(device);
    recordPasswords(RED, node, definition, device.hasPassword ? [] : [JSON.stringify(device.name)]);
    node.record = () => device.record;
    node.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
      if (isRemoved) deregister(device);
      const last = lastSent(RED);
      const closing = last ? last.then(() => device.close()) : device.close();
      closing.then(() => done(), done);
    });
  };
}

export function groupNode(RED: NodeAPI): Open<GroupProperties> {
  return (created, definition) => {
    const node = created as Node<Record<string, unknown>>;
    const surroundings = surroundingsOf(RED, node, definition);
    const group = new Group(node.id, definition, node.credentials ?? {}, surroundings, (name) =>
      RED.util.getSetting(node, name),
    );
    registerGroup(group);
    recordPasswords(RED, node, definition, group.withoutPassword);
    node.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
      if (isRemoved) deregisterGroup(group);
      const last = lastSent(RED);
      const closing = last ? last.then(() => group.close()) : group.close();
      closing.then(() => done(), done);
    });
  };
}

const maxNamed = 5;

const found = new Map<string, { node: Node; names: readonly string[] }>();

/**
 * Records missing passwords for a warning at the end of the deploy. Otherwise a missing password, for example
 * after an import, would be noticed only when a message fails in an emergency.
 * @param names the names without a password, in quotes
 */
function recordPasswords(
  RED: NodeAPI,
  node: Node,
  { auth, virtual }: Pick<DeviceProperties, 'auth' | 'virtual'>,
  names: readonly string[],
): void {
  if (virtual || auth === 'none' || names.length === 0) return;
  if (found.size === 0) RED.events.once('flows:started', warnOfMissingPasswords);
  found.set(node.id, { node, names });
}

function warnOfMissingPasswords(): void {
  const withoutPassword = [...found.values()];
  const names = withoutPassword.flatMap((one) => one.names);
  const more = names.length > maxNamed ? [`${names.length - maxNamed} more`] : [];
  const list = [...names.slice(0, maxNamed), ...more].join(', ');
  found.clear();
  withoutPassword[0]?.node.warn(
    `No password, so nothing can be sent: ${list}. Exported flows do not contain passwords; enter them again`,
  );
}
