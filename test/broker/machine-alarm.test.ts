import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Node, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import type { VirtualDevice } from '../../src/virtual-device/device';
import { exampleFile } from '../fixtures/examples';
import { loadNodes, type NodeConfig, stopFlow } from '../fixtures/flow';
import { ownNodes, read } from '../fixtures/package';
import { coreNodes } from '../nodes/stage';
import { FakeHomeAssistant } from './home-assistant';
import { Mosquitto } from './mosquitto';

const id = (name: string) => `machine-alarm-${name}`;

describe('the example of a machine', () => {
  let mosquitto: Mosquitto;
  let machine: FakeHomeAssistant;
  let folder: string;

  beforeEach(async () => {
    mosquitto = await Mosquitto.start();
    // Any client of the broker does.
    machine = await FakeHomeAssistant.open(mosquitto.port);
    folder = await mkdtemp(path.join(tmpdir(), 'algo-machine-'));
  });
  afterEach(async () => {
    await stopFlow();
    await machine.end();
    await mosquitto.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  });

  const start = async (change: (node: NodeConfig) => NodeConfig = (node) => node) => {
    const example = exampleFile("A machine's alarm, announced until someone acknowledges it");
    const flow = read<NodeConfig[]>(example).map((node) =>
      change(node.type === 'mqtt-broker' ? { ...node, port: String(mosquitto.port) } : node),
    );
    helper.init(require.resolve(process.env.ALGO_NODE_RED || 'node-red'));
    await loadNodes([...ownNodes(), ...coreNodes()], flow, {}, { userDir: folder });
  };
  const begins = (name: string, more = {}) => {
    const text = JSON.stringify({ active: true, text: 'coolant low', ...more });
    return machine.publish(`machines/${name}/alarm`, text, { qos: 1, retain: true });
  };

  it('is announced again and again, until a person acknowledges it', async () => {
    await begins('mill-3');
    await machine.publish('machines/mill-3/acknowledge', 'an old one', { qos: 1, retain: true });
    // The real node takes seconds for each announcement.
    await start((node) => {
      if (node.type === 'trigger') return { ...node, duration: '-0.05' };
      return node.type === 'algo-announce' ? { ...node, type: 'helper' } : node;
    });
    const announced: string[] = [];
    const announce = helper.getNode(id('announce'));
    announce.on('input', ({ payload }: NodeMessage) => void announced.push(String(payload)));
    const count = (text: string) => announced.filter((one) => one === text).length;
    const times = async (text: string, wanted: number) => {
      while (count(text) < wanted) await once(announce, 'input');
    };
    await times('mill-3: coolant low', 3);
    const acknowledged = once(helper.getNode(id('done')), 'input');
    await machine.publish('machines/mill-3/acknowledge', 'pressed');
    assert.equal(((await acknowledged) as [NodeMessage & { machine: string }])[0].machine, 'mill-3');
    const before = count('mill-3: coolant low');
    // The machine repeats it, which is no new alarm.
    await begins('mill-3');
    await begins('press-1', { text: 'guard open' });
    await times('press-1: guard open', 3);
    assert.equal(count('mill-3: coolant low'), before);
    await begins('mill-3', { active: false });
    await begins('mill-3', { text: 'oil low' });
    await times('mill-3: oil low', 2);
  });

  it('is shown on the display and sounds', async () => {
    await start();
    const behind = (name: string) =>
      (helper.getNode(id(`virtual-${name}`)) as Node & { device(): Promise<VirtualDevice> }).device();
    const [display, speaker] = await Promise.all(['display', 'speaker'].map(behind));
    assert.ok(display && speaker);
    helper.getNode(id('words')).receive({
      topic: 'machines/mill-3/alarm',
      payload: { active: true, text: 'coolant low' },
    } as NodeMessage);
    while (!speaker.state.tone) await once(speaker, 'request');
    while (!display.state.overlay) await once(display, 'request');
    assert.equal(display.state.overlay.textContent, 'mill-3: coolant low');
    helper.getNode(id('announce')).receive({ operation: 'stop' } as unknown as NodeMessage);
    while (speaker.state.tone) await once(speaker, 'request');
    while (display.state.overlay) await once(display, 'request');
  });
});
