import type { Node, NodeAPI, NodeDef } from 'node-red';
import type { VirtualDevice } from '../src/virtual-device/device';
import type { Endpoint } from '../src/virtual-device/node/node-options';
import type { EditorPanels, Handler } from '../src/virtual-device/panel/in-editor';

type RunningDeviceModule = typeof import('../src/virtual-device/node/running-device');
type PanelAddressModule = typeof import('../src/virtual-device/node/panel-address');
type InEditorModule = typeof import('../src/virtual-device/panel/in-editor');
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

/** Where the panels are, below the editor's address. */
const panelPaths: readonly (readonly ['get' | 'post', string, keyof EditorPanels])[] = [
  ['post', '/algo/virtual/:id/ticket', 'ticketToChange'],
  ['post', '/algo/virtual/:id/look', 'ticketToLook'],
  ['get', '/algo/virtual/:id', 'open'],
  ['get', '/algo/virtual/:id/:rest', 'answer'],
  ['post', '/algo/virtual/:id/:rest', 'answer'],
];

export = (RED: NodeAPI): void => {
  let panels: EditorPanels | undefined;
  // Flows without a virtual device do without its modules, and so do panels that nobody asks for.
  const editorPanels = (): EditorPanels => {
    const { EditorPanels: Panels }: InEditorModule = require('../src/virtual-device/panel/in-editor');
    return new Panels({
      needsPermission: (permission) => RED.auth.needsPermission(permission) as unknown as Handler,
      find: async (id) => (RED.nodes.getNode(id) as VirtualDeviceNode | null)?.device?.(),
    });
  };
  const { httpAdmin } = RED;
  for (const [method, path, name] of panelPaths) {
    const handler: Handler = (request, response, next) => {
      panels ??= editorPanels();
      panels[name](request, response, next);
    };
    // Those who only want to know the types of a node bring no server.
    httpAdmin?.[method](path, handler as unknown as RequestHandler);
  }

  function AlgoVirtualDevice(this: VirtualDeviceNode, config: Config): void {
    RED.nodes.createNode(this, config);
    const { startDevice }: RunningDeviceModule = require('../src/virtual-device/node/running-device');
    const { panelAddress }: PanelAddressModule = require('../src/virtual-device/node/panel-address');
    const panel = () => panelAddress(RED, this.id);
    const started = startDevice(config, this.credentials, (words) => this.log(words), panel);
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
