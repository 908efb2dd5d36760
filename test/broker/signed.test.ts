import assert from 'node:assert/strict';
import { keyOfSite } from '../../src/sites/signing';
import type { FakeDevice } from '../fixtures/fake-device';
import { outcomesOf, Site } from '../fixtures/site';
import { ample, broker, coreMqtt, flash, inbox, play, remote, site } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';
import { endOf, ready, waitForRequests } from './sites';

const secret = 'the centre alone';

describe('jobs with keys', () => {
  let mosquitto: Mosquitto;
  let listener: Listener;
  let world: Site;
  let device: FakeDevice;

  beforeEach(async () => {
    mosquitto = await Mosquitto.start();
    listener = await Listener.open(mosquitto.port);
    world = new Site();
    device = await world.device('A');
  });
  afterEach(async () => {
    await world.end();
    await listener.end();
    await mosquitto.end();
  });

  const start = async (credentials: object, ...more: Parameters<Site['start']>[0]) => {
    const brokers = [broker('centre broker', mosquitto.port), broker('site broker', mosquitto.port)];
    const all = [
      ...brokers,
      device.config({ letDeviceDecide: true }),
      ...['jobs', 'states', 'late'].map(inbox),
    ];
    await world.start([...all, remote('r', play), ...more], credentials, [coreMqtt()]);
  };

  it('are done, and answered', async () => {
    await start({ r: { secret }, n: { key: keyOfSite(secret, 'north') } }, site('n'));
    await ready(listener, 1);
    const way = await endOf(world, world.send('r', { payload: { path: 'gong.wav', loop: false } }));
    assert.deepEqual(outcomesOf(way), ['A accepted']);
    assert.deepEqual(device.operationNames, ['tone/start']);
  });

  it('are not done without a signature', async () => {
    await start({ n: { key: keyOfSite(secret, 'north') } }, site('n'));
    await ready(listener, 1);
    const way = await endOf(world, world.send('r', { payload: { path: 'gong.wav', loop: false }, ttl: 2 }));
    assert.notDeepEqual(outcomesOf(way), ['A accepted']);
    assert.deepEqual(device.operationNames, []);
  });

  it('are unknown if a site without the key did them', async () => {
    await start({ safe: { secret } }, site('n'), remote('safe', flash));
    await ready(listener, 1);
    const way = await endOf(world, world.send('safe', { ttl: 3 }));
    assert.deepEqual(device.operationNames, ['strobe/stop']);
    assert.deepEqual(outcomesOf(way), ['A unknown']);
  });

  it('are not done with the key of another site', async () => {
    await start({ r: { secret }, n: { key: keyOfSite(secret, 'south') } }, site('n'));
    await ready(listener, 1);
    const way = await endOf(world, world.send('r', { payload: { path: 'gong.wav', loop: false }, ttl: 2 }));
    assert.notDeepEqual(outcomesOf(way), ['A accepted']);
    assert.deepEqual(device.operationNames, []);
  });

  for (const [words, credentials, outcome] of [
    [
      'do not let somebody take one away and say that it was done',
      { r: { secret } },
      /^A (?:expired|unknown)$/,
    ],
    ['without keys are believed to be done by whoever says so', {}, /^A confirmed$/],
  ] as const) {
    it(words, async () => {
      await start(credentials);
      const way = world.send('r', { payload: { path: 'gong.wav', loop: false }, ttl: 3 });
      const isJob = ({ topic, payload }: { topic: string; payload: string }) =>
        topic.includes('/job/') && payload !== '';
      await listener.until(() => listener.seen.some(isJob));
      const topic = listener.seen.find(isJob)?.topic ?? '';
      await listener.publish(topic, '');
      const at = new Date().toISOString();
      const receipt = { device: 'A', address: '', operation: 'tone/start', outcome: 'confirmed' };
      const receipts = [{ ...receipt, attempts: 1, latencyMs: 1, at }];
      await listener.publish(
        topic.replace('/job/', '/result/'),
        { v: 2, instance: 'evil', at, receipts },
        60,
      );
      assert.match(outcomesOf(await endOf(world, way))[0] ?? '', outcome);
      assert.deepEqual(device.operationNames, []);
    });
  }

  it('go on when the connection is lost', async () => {
    await start({ r: { secret }, n: { key: keyOfSite(secret, 'north') } }, site('n'));
    await ready(listener, 1);
    const way = await endOf(world, world.send('r', { payload: { path: '1.wav', loop: false } }));
    assert.deepEqual(outcomesOf(way), ['A accepted']);
    await mosquitto.stop();
    await mosquitto.start();
    const again = world.send('r', { payload: { path: '2.wav', loop: false }, ttl: ample });
    await waitForRequests(world, device, 2).catch(() => {});
    assert.deepEqual(outcomesOf(await endOf(world, again)), ['A accepted']);
    assert.equal(device.operationNames.length, 2);
  });
});
