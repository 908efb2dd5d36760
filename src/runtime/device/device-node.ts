import type { Node, NodeAPI } from 'node-red';
import { lastSent } from '../flows-stopped';
import type { Open } from '../later';
import { Device } from './device';
import { surroundingsOf } from './host';
import { notePasswords } from './missing-passwords';
import type { DeviceRecord } from './record';
import { deregister, register } from './registry';
import type { DeviceProperties, Reaching } from './settings';

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
