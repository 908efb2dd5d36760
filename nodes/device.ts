import type { Node, NodeAPI, NodeDef } from 'node-red';
import { Device } from '../src/runtime/device/device';
import { surroundingsOf } from '../src/runtime/device/host';
import type { DeviceRecord } from '../src/runtime/device/record';
import { deregister, forgetClosed, register } from '../src/runtime/device/registry';
import type { DeviceProperties } from '../src/runtime/device/settings';

interface DeviceDef extends Omit<NodeDef, 'name'>, DeviceProperties {}

interface DeviceNode extends Node<{ password: unknown }> {
  /** What is known of the device without asking it, for other nodes. */
  record(): DeviceRecord;
}

export = (RED: NodeAPI): void => {
  // Once, however often this is loaded.
  RED.events.off('flows:started', forgetClosed).on('flows:started', forgetClosed);
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
      this.on('close', (isRemoved: boolean, done: (error?: Error) => void) => {
        if (isRemoved) deregister(device);
        device.close().then(() => done(), done);
      });
    },
    { credentials: { password: { type: 'password' } } },
  );
};
