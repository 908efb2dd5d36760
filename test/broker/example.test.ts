import assert from 'node:assert/strict';
import type { Node, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import type { VirtualDevice } from '../../src/virtual-device/device';
import { exampleFile } from '../fixtures/examples';
import { loadNodes, type NodeConfig, stopFlow, type TestMessage } from '../fixtures/flow';
import { ownNodes, read } from '../fixtures/package';
import { coreMqtt } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';
import { ready } from './sites';

/** Nodes of core that only carry messages here. */
const carriers = ['inject', 'debug', 'comment'];

describe('the example over a broker', () => {
  let mosquitto: Mosquitto;
  let listener: Listener;

  before(async () => {
    mosquitto = await Mosquitto.start();
    listener = await Listener.open(mosquitto.port);
  });
  after(async () => {
    await stopFlow();
    await listener.end();
    await mosquitto.end();
  });

  it('starts a lockdown at the site and clears it', async () => {
    const flow = read<NodeConfig[]>(exampleFile('Lockdown at another site, over a broker')).map((node) => {
      if (node.type === 'mqtt-broker') return { ...node, port: String(mosquitto.port) };
      return carriers.includes(node.type) ? { ...node, type: 'helper' } : node;
    });
    helper.init(require.resolve(process.env.ALGO_NODE_RED || 'node-red'));
    await loadNodes([...ownNodes(), coreMqtt()] as never, flow);
    await ready(listener, 1);
    const press = (id: string): Promise<TestMessage> => {
      const arrived = new Promise<TestMessage>((resolve) => {
        helper
          .getNode('remote-lockdown-answered')
          .once('input', (message) => resolve(message as TestMessage));
      });
      helper.getNode(id).receive({} as NodeMessage);
      return arrived;
    };
    const virtual = helper.getNode('example-virtual-north-strobe') as Node & {
      device(): Promise<VirtualDevice>;
    };
    const strobe = await virtual.device();
    const on = await press('remote-lockdown-start');
    assert.equal((on.sites as Record<string, { outcome: string }>).north?.outcome, 'accepted');
    assert.notEqual(strobe.state.strobe, null);
    const off = await press('remote-lockdown-clear');
    assert.equal((off.sites as Record<string, { outcome: string }>).north?.outcome, 'accepted');
    assert.equal(strobe.state.strobe, null);
  });
});
