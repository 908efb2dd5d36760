import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import consoleEventsNode from '../../nodes/console-events';
import deviceNode from '../../nodes/device';
import doorNode from '../../nodes/door';
import groupNode from '../../nodes/group';
import relayInputNode from '../../nodes/relay-input';
import statusNode from '../../nodes/status';
import virtualDeviceNode from '../../nodes/virtual-device';
import { VirtualDevice, type VirtualDeviceOptions } from '../../src/virtual-device/device';
import { loadNodes, type NodeConfig, statusesOf, stopFlow } from '../fixtures/flow';
import { ownHost } from '../fixtures/listening';

helper.init(require.resolve(process.env.ALGO_NODE_RED || 'node-red'));

const nodes = [
  deviceNode,
  groupNode,
  virtualDeviceNode,
  doorNode,
  statusNode,
  relayInputNode,
  consoleEventsNode,
];

const devices: VirtualDevice[] = [];

/** Starts a virtual device that needs no login. */
export async function startVirtual(options: VirtualDeviceOptions = {}): Promise<VirtualDevice> {
  const device = new VirtualDevice({ auth: 'none', host: ownHost, ...options });
  devices.push(device);
  await device.start();
  return device;
}

/** Stops Node-RED and the devices. */
export async function stopAll(): Promise<void> {
  await stopFlow();
  await Promise.all(devices.splice(0).map((device) => device.stop()));
}

/** A message as it leaves a watching node, or as a Catch node hands it on. */
export interface WatchMessage extends NodeMessage {
  payload: Record<string, unknown>;
  changes?: Record<string, { from: unknown; to: unknown }>;
  initial?: boolean;
  device?: string;
  error?: { message: string; code?: string };
  [property: string]: unknown;
}

const onTab = { z: 'tab', x: 100, y: 100 };

/** Messages in the order in which they came, and those to come. */
export class Inbox {
  readonly messages: WatchMessage[] = [];
  readonly #events = new EventEmitter();
  #read = 0;

  put(message: NodeMessage): void {
    this.messages.push(message as WatchMessage);
    this.#events.emit('message');
  }

  /** The oldest message that nobody has taken yet. */
  async next(): Promise<WatchMessage> {
    while (this.#read >= this.messages.length) await once(this.#events, 'message');
    const message = this.messages[this.#read++];
    assert.ok(message);
    return message;
  }
}

/** The flow's messages: from the first outputs, from the second ones, from a Catch node, and completed ones. */
export interface WatchFlow {
  readonly changes: Inbox;
  readonly connection: Inbox;
  readonly caught: Inbox;
  readonly completed: Inbox;
}

/** The configuration of a flow in which every watching node leads to the same inboxes. */
export function flowOf(configs: readonly NodeConfig[]): NodeConfig[] {
  const watching = configs.filter(({ type }) => /^algo-(?:status|relay-input|console-events)$/.test(type));
  return [
    { id: 'tab', type: 'tab', label: 'test' },
    ...configs.map((config) => {
      if (watching.includes(config)) return { ...onTab, wires: [['changes'], ['connection']], ...config };
      return 'operation' in config ? { ...onTab, wires: [[]], ...config } : config;
    }),
    { ...onTab, id: 'changes', type: 'helper' },
    { ...onTab, id: 'connection', type: 'helper' },
    { ...onTab, id: 'catcher', type: 'catch', scope: null, uncaught: false, wires: [['caught']] },
    { ...onTab, id: 'caught', type: 'helper' },
    {
      ...onTab,
      id: 'completer',
      type: 'complete',
      scope: watching.map(({ id }) => id),
      wires: [['completed']],
    },
    { ...onTab, id: 'completed', type: 'helper' },
  ];
}

/** Starts a real Node-RED runtime with these nodes on one tab. */
export async function startWatchFlow(
  configs: readonly NodeConfig[],
  credentials: Record<string, Record<string, string>> = {},
): Promise<WatchFlow> {
  await loadNodes(nodes, flowOf(configs), credentials);
  return {
    changes: inboxOf('changes'),
    connection: inboxOf('connection'),
    caught: inboxOf('caught'),
    completed: inboxOf('completed'),
  };
}

function inboxOf(id: string): Inbox {
  const inbox = new Inbox();
  helper.getNode(id).on('input', (message: NodeMessage) => inbox.put(message));
  return inbox;
}

export function send(id: string, message: Record<string, unknown>): void {
  helper.getNode(id).receive(message as NodeMessage);
}

/** The last status text that a node has shown. */
export function statusOf(id: string): { fill?: string; shape?: string; text?: string } {
  return statusesOf(id).at(-1) ?? {};
}
