import type { Node, NodeAPI } from 'node-red';
import { lastSent } from '../flows-stopped';
import type { Open } from '../lazy';
import { Device } from './device';
import { Group, type GroupProperties } from './group';
import type { DeviceRecord } from './record';
import { deregister, deregisterGroup, register, registerGroup } from './registry';
import type { DeviceProperties, Reaching } from './settings';
import { surroundingsOf } from './surroundings';

interface DeviceNode extends Node<{ password?: unknown }> {
  /** What is known of the device without asking it, for other nodes. */
  record(): DeviceRecord;
  /** How it is reached, with its password: for a person who tries the device, and never to be shown. */
  reaching(): Reaching;
}

/** What makes a node an `algo-device`. */
export function deviceNode(RED: NodeAPI): Open<DeviceProperties> {
  return (created, definition) => {
    const node = created as DeviceNode;
    const { password } = node.credentials ?? {};
    const device = new Device(node.id, definition, password, surroundingsOf(RED, node, definition));
    register(device);
    notePasswords(RED, node, definition, device.hasPassword ? [] : [JSON.stringify(device.name)]);
    node.record = () => device.record;
    node.reaching = () => ({
      properties: definition,
      password: String(node.credentials?.password ?? ''),
    });
    node.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
      if (isRemoved) deregister(device);
      const last = lastSent(RED);
      const closing = last ? last.then(() => device.close()) : device.close();
      closing.then(() => done(), done);
    });
  };
}

/** What makes a node an `algo-group`. */
export function groupNode(RED: NodeAPI): Open<GroupProperties> {
  return (created, definition) => {
    const node = created as Node<Record<string, unknown>>;
    const surroundings = surroundingsOf(RED, node, definition);
    const group = new Group(node.id, definition, node.credentials ?? {}, surroundings, (name) =>
      RED.util.getSetting(node, name),
    );
    registerGroup(group);
    notePasswords(RED, node, definition, group.withoutPassword);
    node.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
      if (isRemoved) deregisterGroup(group);
      const last = lastSent(RED);
      const closing = last ? last.then(() => group.close()) : group.close();
      closing.then(() => done(), done);
    });
  };
}

/** The maximum number of names in the sentence; the others are counted. */
const maxNamed = 5;

/** What was deployed without a password, and is not yet said; by the id of its node. */
const found = new Map<string, { node: Node; names: readonly string[] }>();

/**
 * Says at the deploy which of its devices and groups have no password, as after an import. Nothing is ever sent to
 * these: an emergency must not be the first to say so.
 * @param names what of the node has none, in quotes
 */
function notePasswords(
  RED: NodeAPI,
  node: Node,
  { auth, virtual }: Pick<DeviceProperties, 'auth' | 'virtual'>,
  names: readonly string[],
): void {
  if (virtual || auth === 'none' || names.length === 0) return;
  if (found.size === 0) RED.events.once('flows:started', say);
  found.set(node.id, { node, names });
}

/** One line for all of them, at the first one: an import may bring hundreds. */
function say(): void {
  const lacking = [...found.values()];
  const names = lacking.flatMap((one) => one.names);
  const more = names.length > maxNamed ? [`${names.length - maxNamed} more`] : [];
  const list = [...names.slice(0, maxNamed), ...more].join(', ');
  found.clear();
  lacking[0]?.node.warn(
    `No password, so nothing can be sent: ${list}. Passwords do not travel with exported flows; enter them again`,
  );
}
