import type { Node, NodeAPI, NodeDef } from 'node-red';
import { addDeviceEndpoints } from '../src/runtime/admin/device-endpoints';
import type { Reaching } from '../src/runtime/admin/dialog-values';
import { Device } from '../src/runtime/device/device';
import { surroundingsOf } from '../src/runtime/device/host';
import type { DeviceRecord } from '../src/runtime/device/record';
import { deregister, forgetClosed, register } from '../src/runtime/device/registry';
import type { DeviceProperties } from '../src/runtime/device/settings';

interface DeviceDef extends Omit<NodeDef, 'name'>, DeviceProperties {}

interface DeviceNode extends Node<{ password: unknown }> {
  /** What is known of the device without asking it, for other nodes. */
  record(): DeviceRecord;
  /** How it is reached, with its password: for a person who tries the device, and never to be shown. */
  reaching(): Reaching;
}

export = (RED: NodeAPI): void => {
  // Once, however often this is loaded.
  RED.events.off('flows:started', forgetClosed).on('flows:started', forgetClosed);
  addDeviceEndpoints(RED);
  RED.nodes.registerType(
    'algo-device',
    function (this: DeviceNode, definition: DeviceDef) {
      RED.nodes.createNode(this, definition as NodeDef);
      const device = new Device(
        this.id,
        definition,
        this.credentials?.password,
        surroundingsOf(RED, this, definition),
      );
      register(device);
      this.record = () => device.record;
      this.reaching = () => ({
        properties: definition,
        password: String(this.credentials?.password ?? ''),
      });
      this.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
        if (isRemoved) deregister(device);
        device.close().then(() => done(), done);
      });
    },
    { credentials: { password: { type: 'password' } } },
  );
};
