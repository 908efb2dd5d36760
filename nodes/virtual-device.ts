import type { Node, NodeAPI, NodeDef } from 'node-red';
import { VirtualDevice } from '../src/virtual-device/device';
import { lineOf } from '../src/virtual-device/log/entry';
import { type Endpoint, readNodeOptions } from '../src/virtual-device/node/node-options';
import { type Handler, servePanelsInEditor } from '../src/virtual-device/panel/in-editor';

type RequestHandler = ReturnType<NodeAPI['auth']['needsPermission']>;

interface Credentials {
  password?: string;
}

type Config = NodeDef & Record<string, unknown>;

interface VirtualDeviceNode extends Node<Credentials> {
  /** Where the device listens and how to sign; rejects when it could not start. */
  endpoint(): Promise<Endpoint>;
  /** The device itself, for whoever presses its buttons or looks at it; rejects when it could not start. */
  device(): Promise<VirtualDevice>;
}

export = (RED: NodeAPI): void => {
  const { httpAdmin } = RED;
  // Those who only want to know the types of a node bring no server.
  if (httpAdmin)
    servePanelsInEditor({
      get: (path, ...handlers) => httpAdmin.get(path, ...(handlers as unknown as RequestHandler[])),
      post: (path, ...handlers) => httpAdmin.post(path, ...(handlers as unknown as RequestHandler[])),
      needsPermission: (permission) => RED.auth.needsPermission(permission) as unknown as Handler,
      find: async (id) => (RED.nodes.getNode(id) as VirtualDeviceNode | null)?.device?.(),
    });

  function AlgoVirtualDevice(this: VirtualDeviceNode, config: Config): void {
    RED.nodes.createNode(this, config);
    const start = async (): Promise<{ device: VirtualDevice; endpoint: Endpoint }> => {
      const options = readNodeOptions(config, this.credentials);
      const device = new VirtualDevice(options);
      device.on('request', (entry) => this.log(lineOf(entry)));
      device.on('happened', (words) => this.log(words));
      const address = await device.start();
      this.log(`virtual ${device.model} (firmware ${device.firmware}) listens on ${address}`);
      return { device, endpoint: { address, auth: options.auth, password: options.password } };
    };
    const started = start();
    started.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.error(`The virtual device did not start: ${reason}`);
    });
    this.endpoint = async () => (await started).endpoint;
    this.device = async () => (await started).device;
    this.on('close', (_removed: boolean, done: () => void) => {
      started.then(({ device }) => device.stop()).then(done, () => done());
    });
  }

  RED.nodes.registerType<VirtualDeviceNode, Config, object, Credentials>(
    'algo-virtual-device',
    AlgoVirtualDevice,
    {
      credentials: { password: { type: 'password' } },
    },
  );
};
