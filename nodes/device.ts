import type { ConnectionOptions } from 'node:tls';
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { Device } from '../src/runtime/device/device';
import type { DeviceRecord } from '../src/runtime/device/record';
import { deregister, forgetClosed, register } from '../src/runtime/device/registry';
import type { DeviceProperties, VirtualEndpoint } from '../src/runtime/device/settings';
import type { DeviceSurroundings } from '../src/runtime/device/surroundings';

interface DeviceDef extends Omit<NodeDef, 'name'>, DeviceProperties {}

interface DeviceNode extends Node<{ password: unknown }> {
  /** What is known of the device without asking it, for other nodes. */
  record(): DeviceRecord;
}

interface TlsConfigNode extends Node {
  addTLSOptions?(options: ConnectionOptions): void;
}

interface VirtualDeviceNode extends Node {
  endpoint?(): Promise<VirtualEndpoint>;
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
        surroundings(RED, this, definition),
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

function surroundings(RED: NodeAPI, node: Node, { tls, virtual }: DeviceProperties): DeviceSurroundings {
  return {
    tlsOptions() {
      const options: ConnectionOptions = {};
      if (!tls) return options;
      const config = RED.nodes.getNode(String(tls)) as TlsConfigNode | null;
      if (!config?.addTLSOptions) return undefined;
      config.addTLSOptions(options);
      return options;
    },
    endpoint: () => (RED.nodes.getNode(String(virtual)) as VirtualDeviceNode | null)?.endpoint?.(),
    environment: {
      ...(isTraced(RED) && { trace: (line: string) => node.trace(line) }),
      warn: (line) => node.warn(line),
    },
  };
}

/** Whether any of Node-RED's logs takes trace lines: to make one for nobody costs as much as to sign a request. */
function isTraced({ settings }: NodeAPI): boolean {
  const { logging } = settings as { logging?: Record<string, { level?: unknown } | undefined> };
  return !logging || Object.values(logging).some((log) => log?.level === 'trace');
}
