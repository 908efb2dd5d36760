import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, caughtOf, codesOf, outcomesOf, receiptsOf, Site } from '../fixtures/site';
import { Leap } from './leap';

describe('delivery: the order at one device', () => {
  let site: Site;
  let device: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
    device.behavior = () => 'hold';
  });
  afterEach(() => site.end());

  const toGate = { device: 'gate' };
  const start = (...names: string[]) =>
    site.start([device.config({ letDeviceDecide: true }), ...names.map((name) => act(name, toGate))]);
  const holds = (count: number) => site.until(`${count} are under way`, () => device.held.length === count);

  it('is that of arrival for messages, whichever node they come to', async () => {
    await start('relay/enable', 'door/unlock', 'info/status', 'strobe/start');
    const names = ['relay/enable', 'strobe/start', 'door/unlock', 'info/status', 'door/unlock'];
    const ways = names.map((name) => site.send(name));
    await holds(1);
    device.releaseAll();
    for (const way of ways) await site.ended(way);
    assert.deepEqual(device.operationNames, names);
  });

  it('lets stops and emergencies pass all that waits', async () => {
    await start('relay/enable', 'info/status', 'tone/stop', 'emergency/start', 'door/lock');
    const ways = ['relay/enable', 'info/status', 'info/status'].map((name) => site.send(name));
    await holds(1);
    for (const [name, operationName] of [
      ['tone/stop', 'tone/stop'],
      ['emergency/start', 'emergency-alert/start'],
      ['door/lock', 'door/lock'],
    ] as const) {
      const urgent = site.send(name);
      await holds(2);
      device.release(operationName);
      assert.deepEqual(outcomesOf(await site.ended(urgent)), ['Gate accepted']);
    }
    assert.equal(device.operationNames.filter((operationName) => operationName === 'info/status').length, 0);
    device.releaseAll();
    for (const way of ways) await site.ended(way);
  });

  it('lets a stop take out the starts of its device output that wait, and no others', async () => {
    await start('info/status', 'tone/start', 'tone/stop', 'strobe/start');
    const first = site.send('info/status');
    await holds(1);
    const tones = [site.send('tone/start'), site.send('tone/start')];
    const strobe = site.send('strobe/start');
    const stop = site.send('tone/stop');
    const later = site.send('tone/start');
    for (const way of tones) {
      await site.ended(way);
      assert.deepEqual(outcomesOf(way), ['Gate superseded']);
      assert.deepEqual(codesOf(way), ['SUPERSEDED']);
      assert.deepEqual(caughtOf(way), ['SUPERSEDED']);
      assert.equal(receiptsOf(way)[0]?.attempts, 0);
      assert.deepEqual(way.sent, []);
    }
    device.releaseAll();
    for (const way of [first, strobe, stop, later]) {
      assert.deepEqual(outcomesOf(await site.ended(way)), ['Gate accepted']);
    }
    assert.deepEqual([...device.operationNames].sort(), [
      'info/status',
      'strobe/start',
      'tone/start',
      'tone/stop',
    ]);
    assert.ok(device.operationNames.indexOf('tone/stop') < device.operationNames.indexOf('tone/start'));
  });

  it('is that of one door: a lock at another takes out nothing', async () => {
    await site.start([
      device.config(),
      act('info/status', toGate),
      act('door/unlock', toGate),
      act('door/lock', { ...toGate, given: { doorid: 'netdc1' } }),
    ]);
    site.send('info/status');
    await holds(1);
    const unlock = site.send('door/unlock');
    const lock = site.send('door/lock');
    await holds(2);
    device.releaseAll();
    assert.deepEqual(outcomesOf(await site.ended(lock)), ['Gate accepted']);
    assert.deepEqual(outcomesOf(await site.ended(unlock)), ['Gate accepted']);
  });

  it('lets a stop wait for the start that is under way', async () => {
    await start('tone/start', 'tone/stop');
    const first = site.send('tone/start');
    await holds(1);
    const stop = site.send('tone/stop');
    device.release('tone/start');
    await site.ended(first);
    await holds(1);
    assert.deepEqual(device.operationNames, ['tone/start', 'tone/stop']);
    device.releaseAll();
    assert.deepEqual(outcomesOf(await site.ended(stop)), ['Gate accepted']);
  });

  it('lets it wait for 2 s at most, and sends it once more when the start ends later', async () => {
    await start('tone/start', 'tone/stop', 'info/status');
    const first = site.send('tone/start');
    await holds(1);
    const stop = site.send('tone/stop');
    await holds(2);
    device.release('tone/stop');
    assert.deepEqual(outcomesOf(await site.ended(stop)), ['Gate accepted']);
    assert.equal(first.isEnded, false);
    device.release('tone/start');
    assert.deepEqual(outcomesOf(await site.ended(first)), ['Gate accepted']);
    await holds(1);
    assert.deepEqual(device.operationNames, ['tone/start', 'tone/stop', 'tone/stop']);
    device.releaseAll();
    await site.ask('info/status');
    assert.equal(device.operationNames.length, 4);
  });

  it('sends it once more also when its ttl is over by then, since it was on the wire in time', async () => {
    const leap = new Leap();
    try {
      await site.start([
        device.config({ letDeviceDecide: true }),
        act('tone/start', toGate),
        act('tone/stop', { ...toGate, ttl: 5 }),
      ]);
      const first = site.send('tone/start');
      await holds(1);
      const stop = site.send('tone/stop');
      await holds(2);
      device.release('tone/stop');
      await site.ended(stop);
      leap.seconds(6);
      device.release('tone/start');
      await site.ended(first);
      await holds(1);
      assert.deepEqual(device.operationNames, ['tone/start', 'tone/stop', 'tone/stop']);
    } finally {
      leap.end();
    }
  });

  it('lets an emergency start wait only for its own device output', async () => {
    await start('emergency/start', 'emergency/stop', 'relay/enable');
    const first = site.send('emergency/stop');
    await holds(1);
    const second = site.send('emergency/start');
    const other = site.send('relay/enable');
    await holds(2);
    assert.deepEqual(device.operationNames, ['emergency-alert/stop', 'relay/enable']);
    device.release('emergency-alert/stop');
    await holds(2);
    assert.equal(device.operationNames.at(-1), 'emergency-alert/start');
    device.releaseAll();
    for (const way of [first, second, other]) await site.ended(way);
  });

  it('lets a message wait for one reading at most, and readings for all messages', async () => {
    const onTab = { z: 'tab', x: 100, y: 100 };
    const watch = { ...onTab, ...toGate, interval: 0.2, wires: [[], []] };
    await site.start([
      device.config({ letDeviceDecide: true }),
      { ...watch, id: 'watch', type: 'algo-status' },
      { ...watch, id: 'input', type: 'algo-relay-input' },
      { ...watch, id: 'console', type: 'algo-console-events' },
      act('relay/enable', toGate),
    ]);
    await holds(1);
    const ways = Array.from({ length: 5 }, () => site.send('relay/enable'));
    device.releaseAll();
    for (const way of ways) await site.ended(way);
    assert.deepEqual(
      device.operationNames.slice(1, 6),
      ways.map(() => 'relay/enable'),
    );
  });

  it('takes one ordinary connection and one urgent one at most, whatever the load', async () => {
    await start('relay/enable', 'info/status', 'tone/stop', 'emergency/start', 'strobe/stop');
    device.behavior = () => 200;
    const names = ['relay/enable', 'tone/stop', 'info/status', 'emergency/start', 'strobe/stop'];
    const ways = Array.from({ length: 300 }, (_, index) => site.send(names[index % names.length] ?? ''));
    for (const way of ways) assert.deepEqual(outcomesOf(await site.ended(way)), ['Gate accepted']);
    assert.equal(device.operationNames.length, 300);
    assert.ok(device.maxUnderWay <= 2, `${device.maxUnderWay} requests at once`);
    assert.ok(device.maxConnections <= 2, `${device.maxConnections} connections at once`);
  });
});
