import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import helper from 'node-red-node-test-helper';
import callNode from '../../nodes/call';
import consoleEventsNode from '../../nodes/console-events';
import deviceNode from '../../nodes/device';
import groupNode from '../../nodes/group';
import screenNode from '../../nodes/screen';
import statusNode from '../../nodes/status';
import virtualDeviceNode from '../../nodes/virtual-device';
import { VirtualDevice } from '../../src/virtual-device/device';
import { exampleFile } from '../fixtures/examples';
import { loadNodes, stopFlow } from '../fixtures/flow';
import { read } from '../fixtures/package';
import { Inbox } from './watch-flow';

type FlowNode = Record<string, unknown> & { id: string; type: string; wires?: string[][] };

const runtime = require.resolve(process.env.ALGO_NODE_RED || 'node-red');
helper.init(runtime);

/** A node of Node-RED's own. */
function core(file: string): (RED: NodeAPI) => void {
  return require(require.resolve(`@node-red/nodes/core/${file}`, { paths: [path.dirname(runtime)] }));
}

/** Deploys an example with devices that the test can move, and without the debug nodes' sidebar. */
class Example {
  readonly devices = new Map<string, VirtualDevice>();

  async load(name: string): Promise<void> {
    const flow = read<FlowNode[]>(exampleFile(name));
    for (const { id, type, model } of flow) {
      if (type === 'algo-virtual-device') {
        const buttons = { fire: 'emergency', chat: 'call' } as const;
        this.devices.set(id, new VirtualDevice({ model: String(model), auth: 'none', buttons }));
      }
    }
    await Promise.all([...this.devices.values()].map((device) => device.start()));
    const nodes = [
      ...[deviceNode, groupNode, virtualDeviceNode, statusNode, consoleEventsNode],
      ...[callNode, screenNode, core('function/10-switch'), core('function/15-change')],
      ...[core('common/20-inject'), core('common/90-comment')],
    ];
    const prepared = flow
      .filter(({ type }) => type !== 'algo-virtual-device')
      .map((node) =>
        ['debug', 'algo-virtual'].includes(node.type) ? { ...node, type: 'helper' } : this.#quick(node),
      );
    await loadNodes(nodes, prepared);
  }

  device(id: string): VirtualDevice {
    const device = this.devices.get(id);
    assert.ok(device, id);
    return device;
  }

  inbox(id: string): Inbox {
    const inbox = new Inbox();
    helper.getNode(id).on('input', (message) => inbox.put(message));
    return inbox;
  }

  async clear(): Promise<void> {
    await stopFlow();
    await Promise.all([...this.devices.values()].map((device) => device.stop()));
    this.devices.clear();
  }

  #quick(node: FlowNode): FlowNode {
    if (node.type === 'algo-device') {
      const { address } = this.device(String(node.virtual));
      return { ...node, virtual: '', address, auth: 'none' };
    }
    return 'interval' in node ? { ...node, interval: 0.2 } : node;
  }
}

function post(device: VirtualDevice, place: string, body: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(`${device.address}${place}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Does to a device what the button of the example does. */
async function goMissing(device: VirtualDevice): Promise<void> {
  const flow = read<FlowNode[]>(exampleFile('Tell me when a speaker goes missing'));
  const button = flow.find(({ id }) => id === 'speaker-missing-away');
  await device.carryOut(String(button?.operation), JSON.parse(String(button?.parameters)));
}

describe('the examples of the watching nodes', () => {
  const example = new Example();

  afterEach(() => example.clear());

  it('"Tell me when a speaker goes missing" runs', async () => {
    await example.load('Tell me when a speaker goes missing');
    const messages = example.inbox('speaker-missing-tell');
    const calls = example.inbox('speaker-missing-calling');
    const gym = example.device('example-virtual-gym-speaker');
    while (gym.log.every(({ path: place }) => !place.includes('status'))) await once(gym, 'request');
    helper.getNode('speaker-missing-start-call').receive({});
    assert.equal((await calls.next()).device, 'Gym speaker');
    await goMissing(gym);
    assert.match(String((await messages.next()).payload), /^Gym speaker is missing: .+ \(last seen 2.+Z\)$/);
    assert.equal(calls.messages.length, 1);
    assert.equal(messages.messages.length, 1);
    await gym.carryOut('speed', { factor: 1_000 });
    assert.match(String((await messages.next()).payload), /^Gym speaker is back after \d+ readings/);
  });

  it('"A console emergency switches every display" runs', async () => {
    await example.load('A console emergency switches every display');
    const receipts = example.inbox('console-displays-receipts');
    const [desk, lobby, stairway] = ['front-desk-console', 'lobby-display', 'stairway-display'].map((id) =>
      example.device(`example-virtual-${id}`),
    );
    assert.ok(desk && lobby && stairway);
    while (desk.log.every(({ path: place }) => !place.includes('console'))) await once(desk, 'request');
    await post(desk, '/api/controls/console/button/activate', { id: 'chat' });
    await post(desk, '/api/controls/console/button/activate', { id: 'fire' });
    await receipts.next();
    assert.equal(lobby.state.screen?.template, 'announcement');
    assert.equal(stairway.state.screen?.text1, 'Emergency');
    await post(desk, '/api/controls/console/event/stop', { type: 'emergency' });
    await receipts.next();
    assert.deepEqual([lobby.state.screen, stairway.state.screen], [null, null]);
    assert.equal(receipts.messages.length, 2);
    const cleared = example.inbox('console-displays-clear');
    const ended = (active: string[]) =>
      helper.getNode('console-displays-emergency').receive({
        payload: { type: 'emergency', state: 'stopped', active },
      });
    ended(['call', 'emergency']);
    ended(['call']);
    assert.deepEqual((await cleared.next()).payload.active, ['call']);
    helper.getNode('console-displays-end').receive({});
    assert.ok(!('active' in (await cleared.next()).payload));
  });
});
