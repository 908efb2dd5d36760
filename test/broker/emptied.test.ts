import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { caughtOf, formOf, outcomesOf, Site } from '../fixtures/site';
import { broker, coreMqtt, flash, inbox, play, remote, site } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';

/** What does not last leaves nothing to be cleared. */
const form = formOf({ path: 'gong.wav', loop: false });

const alarm = {
  ...{ id: 'alarm', type: 'algo-alert', z: 'tab', x: 1, y: 1, name: 'Alarm', target: 'msg' },
  actions: [{ operation: 'tone/start', form }],
  wires: [[], []],
} as NodeConfig;

describe('a job that was admitted, and is taken off the broker before its last device has its turn', () => {
  let mosquitto: Mosquitto;
  let listener: Listener;
  let world: Site;
  let a: FakeDevice;
  let b: FakeDevice;

  beforeEach(async () => {
    mosquitto = await Mosquitto.start();
    listener = await Listener.open(mosquitto.port);
    world = new Site();
    [a, b] = (await world.devices('A', 'B')) as [FakeDevice, FakeDevice];
    b.behavior = ({ operationName }) =>
      operationName === 'tone/start' && b.held.length === 0 ? 'hold' : 200;
    const nodes = [
      ...[broker('centre broker', mosquitto.port), broker('site broker', mosquitto.port), alarm],
      ...[a, b].map((device) => device.config({ letDeviceDecide: true })),
      ...[site('n', { alerts: 'Alarm' }), inbox('jobs'), inbox('states')],
      ...[remote('busy', play, { devices: ['B'] }), remote('both', play, { devices: ['A', 'B'] })],
      ...[
        remote('alert', { alert: 'Alarm', action: 'start' }, { devices: ['A', 'B'] }),
        remote('next', flash),
      ],
    ];
    await world.start(nodes, {}, [coreMqtt()]);
    const isConnected = () =>
      world.inbox('states').some(({ payload }) => (payload as { connected: boolean }).connected);
    await world.until('the site is ready', isConnected);
  });
  afterEach(async () => {
    await world.end();
    await listener.end();
    await mosquitto.end();
  });

  const gong = { payload: { path: 'gong.wav', loop: false } };
  const jobs = () => [...listener.retained.keys()].filter((topic) => topic.includes('/job/'));

  for (const id of ['both', 'alert']) {
    it(`is not begun there any more, and the receipt says so (${id})`, async () => {
      world.send('busy', gong);
      await world.until('B is busy', () => b.held.length === 1);
      const [busy] = jobs();
      const way = world.send(id, gong);
      await world.until('A has it', () => a.operationNames.length === 1);
      const topic = jobs().find((one) => one !== busy);
      assert.ok(topic);
      await listener.publish(topic, '');
      // The site reads in order.
      await world.ask('next');
      b.releaseAll();
      await world.ended(way);
      assert.deepEqual(outcomesOf(way), ['A accepted', 'B expired']);
      assert.deepEqual(caughtOf(way), ['EXPIRED']);
      assert.deepEqual(b.operationNames, ['tone/start']);
    });
  }
});
