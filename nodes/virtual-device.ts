import type { Node, NodeAPI, NodeDef } from 'node-red';
import type { VirtualDevice } from '../src/virtual-device/device';
import type { Access } from '../src/virtual-device/node/node-options';
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
  /** Returns address and login; rejects if the device did not start. */
  endpoint(): Promise<Access>;
  /** Returns the device, for panels and `algo-virtual` nodes; rejects if the device did not start. */
  device(): Promise<VirtualDevice>;
}

const panelPaths: readonly (readonly ['get' | 'post', string, keyof EditorPanels])[] = [
  ['post', '/algo/virtual/:id/ticket', 'issueTicket'],
  ['get', '/algo/virtual/:id', 'open'],
  ['get', '/algo/virtual/:id/:rest', 'answer'],
  ['post', '/algo/virtual/:id/:rest', 'answer'],
];

/** The running virtual devices of all nodes of this type; undefined until the first node is created. */
let running: import('../src/virtual-device/node/running-device').RunningDevices | undefined;
const stopOthers = () => running?.stopOthers();

/** Functions that start each failed virtual device again; called after each deploy. */
const failed = new Set<() => void>();

function onStarted(): void {
  stopOthers();
  for (const startAgain of [...failed]) startAgain();
}

interface RuntimeEvent {
  readonly id?: unknown;
  readonly payload?: { readonly state?: unknown; readonly deploy?: unknown };
}

/** Stops the waiting virtual devices when the flows stop without a deploy, for example when Node-RED ends. */
function onRuntimeEvent({ id, payload }: RuntimeEvent): void {
  if (id === 'runtime-state' && payload?.state === 'stop' && !payload.deploy) stopOthers();
}

export = (RED: NodeAPI): void => {
  // Replaces the listeners, since this function can run several times. Tools that only list the node types
  // provide no events.
  RED.events?.off('flows:started', onStarted).on('flows:started', onStarted);
  RED.events?.off('runtime-event', onRuntimeEvent).on('runtime-event', onRuntimeEvent);
  let panels: EditorPanels | undefined;
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
    // Tools that only list the node types run without a server.
    httpAdmin?.[method](path, handler as unknown as RequestHandler);
  }

  function AlgoVirtualDevice(this: VirtualDeviceNode, config: Config): void {
    RED.nodes.createNode(this, config);
    const { RunningDevices }: RunningDeviceModule = require('../src/virtual-device/node/running-device');
    const { panelAddress }: PanelAddressModule = require('../src/virtual-device/node/panel-address');
    running ??= new RunningDevices();
    const devices = running;
    const host = {
      id: this.id,
      log: (words: string) => this.log(words),
      debug: (words: string) => this.debug(words),
      panel: () => panelAddress(RED, this.id),
    };
    let lastReason: string | undefined;
    let isClosed = false;
    const start = () => {
      failed.delete(startAgain);
      const starting = devices.start(host, config, this.credentials);
      starting.catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        // The start fails while another program occupies the port. The next deploy starts the virtual device
        // again.
        if (!isClosed) failed.add(startAgain);
        if (reason === lastReason) return;
        lastReason = reason;
        this.error(`The virtual device did not start: ${reason}`);
      });
      return starting;
    };
    const startAgain = () => {
      started = start();
    };
    let started = start();
    this.endpoint = async () => (await started).endpoint;
    this.device = async () => (await started).device;
    this.on('close', (isRemoved: boolean, done: () => void) => {
      isClosed = true;
      failed.delete(startAgain);
      const close = async () => {
        const device = await started;
        // Commands that Node-RED sends before a user stops the flows still reach the device.
        const {
          lastSent,
        }: typeof import('../src/runtime/flows-stopped') = require('../src/runtime/flows-stopped');
        await lastSent(RED);
        await devices.close(this.id, device, isRemoved);
      };
      close().then(done, () => done());
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
