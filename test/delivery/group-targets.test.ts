import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { eachWithLimiterClock } from '../fixtures/limiter-clock';
import { act, caughtOf, codesOf, outcomesOf, receiptsOf, Site } from '../fixtures/site';

describe('delivery: to a group', () => {
  let site: Site;
  const clock = eachWithLimiterClock();
  beforeEach(() => {
    site = new Site();
  });
  afterEach(() => site.end());

  const group = (devices: readonly FakeDevice[], more: Record<string, unknown> = {}) => ({
    id: 'hall',
    type: 'algo-group',
    name: 'Hall',
    devices: devices.map(({ id }) => id),
    ...more,
  });
  const toGroup = { target: 'group', group: 'hall' };
  const byMessage = { target: 'msg' };
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `D${index + 10}`);

  it('goes by name and by id in msg.device, alone and in a list', async () => {
    const [a, b, c] = await site.devices('A', 'B', 'C');
    assert.ok(a && b && c);
    await site.start([a.config(), b.config(), c.config(), group([b, a]), act('door/lock', byMessage)]);
    for (const device of ['group:Hall', 'group:hall', ['group:Hall']]) {
      assert.deepEqual(outcomesOf(await site.ask('door/lock', { device })), ['B accepted', 'A accepted']);
    }
    const list = await site.ask('door/lock', { device: ['A', 'group:Hall', 'C'] });
    assert.deepEqual(outcomesOf(list), ['A accepted', 'B accepted', 'C accepted']);
  });

  it('that is unknown is NOT_CONFIGURED alone, and a failed receipt of its own in a list', async () => {
    const [a] = await site.devices('A');
    assert.ok(a);
    await site.start([a.config(), group([a]), act('door/lock', byMessage)]);
    const alone = await site.ask('door/lock', { device: 'group:Nowhere' });
    assert.deepEqual(caughtOf(alone), ['NOT_CONFIGURED']);
    assert.deepEqual(alone.sent, []);
    assert.deepEqual(site.requests, []);
    const list = await site.ask('door/lock', { device: ['group:Nowhere', 'A'] });
    assert.deepEqual(
      receiptsOf(list).map(({ outcome }) => outcome),
      ['failed', 'accepted'],
    );
    assert.deepEqual(codesOf(list), ['NOT_CONFIGURED', undefined]);
    assert.equal(list.sent.length, 1);
  });

  it('skips who has no strobe, also where its pattern goes by a name', async () => {
    const [speaker, strobe] = [await site.device('A', '8301'), await site.device('B', '8138')];
    const given = { pattern: 'fast', ledlvl: 'high' };
    await site.start([
      speaker.config(),
      strobe.config(),
      group([speaker, strobe]),
      act('strobe/start', { ...toGroup, given }),
    ]);
    assert.deepEqual(outcomesOf(await site.ask('strobe/start')), ['A skipped', 'B accepted']);
  });

  it('leaves the payload alone, also with one member', async () => {
    const [a] = await site.devices('A');
    assert.ok(a);
    await site.start([a.config(), group([a]), act('info/tonelist', toGroup)]);
    const { sent } = await site.ask('info/tonelist', { payload: 'mine' });
    assert.equal(sent[0]?.payload, 'mine');
    assert.deepEqual(sent[0]?.receipts?.[0]?.response, { tonelist: ['A.wav'] });
  });

  it('has at most `maxParallel` targets on the wire at once', async () => {
    const devices = await site.devices(...numbered(7));
    for (const device of devices) device.behavior = () => 'hold';
    const configs = devices.map((device) => device.config());
    await site.start([...configs, group(devices, { maxParallel: '3' }), act('door/lock', toGroup)]);
    const way = site.send('door/lock');
    let most = 0;
    for (let left = 7; left > 0; left -= 1) {
      const expected = Math.min(3, left);
      await site.until(`${expected} are under way`, () => onWire() >= expected);
      most = Math.max(most, onWire());
      devices.find(({ held }) => held.length > 0)?.release();
    }
    function onWire(): number {
      return devices.reduce((sum, { held }) => sum + held.length, 0);
    }
    await site.ended(way);
    assert.equal(most, 3);
    assert.deepEqual(
      receiptsOf(way).map(({ device }) => device),
      numbered(7),
    );
  });

  it('has a hundred on the wire at once when nothing is said, for lists and tags too', async () => {
    const devices = await site.devices(...Array.from({ length: 103 }, (_, index) => `D${index + 100}`));
    for (const device of devices) device.behavior = () => 'hold';
    const configs = devices.map((device) => device.config({ tags: 'all' }));
    await site.start([
      ...configs,
      group(devices),
      act('door/lock', toGroup),
      act('door/lock', { ...byMessage, id: 'listed' }),
    ]);
    for (const [id, message] of [
      ['door/lock', {}],
      ['listed', { device: 'tag:all' }],
      ['listed', { device: devices.map(({ name }) => name) }],
    ] as const) {
      const way = site.send(id, message);
      const holding = () => devices.filter(({ held }) => held.length > 0);
      await site.until('a hundred are under way', () => holding().length >= 100);
      assert.equal(holding().length, 100);
      while (!way.isEnded) {
        const [first] = holding();
        if (first) first.release();
        else await site.until('more come', () => holding().length > 0 || way.isEnded);
        assert.ok(holding().length <= 100);
      }
      assert.equal(receiptsOf(way).length, 103);
    }
  });

  it('delays no healthy target for dead ones, and answers for each, in order', async () => {
    const devices = await site.devices('Silent', 'Closed', 'A', 'B', 'C');
    const [silent, closed, ...healthy] = devices;
    assert.ok(silent && closed);
    silent.behavior = () => 'hold';
    await closed.close();
    const configs = devices.map((device) => device.config());
    await site.start([
      ...configs,
      group(devices),
      act('door/lock', { ...toGroup, retryFor: 0 }),
      act('door/unlock', toGroup),
    ]);
    const way = site.send('door/unlock');
    await site.until('the healthy have it', () =>
      healthy.every(({ operationNames }) => operationNames.length === 1),
    );
    assert.equal(way.isEnded, false);
    silent.release();
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), [
      'Silent accepted',
      'Closed failed',
      'A accepted',
      'B accepted',
      'C accepted',
    ]);
    assert.deepEqual(caughtOf(way), ['UNREACHABLE']);
    assert.equal(way.sent.length, 1);
    assert.equal(way.sent[0]?.receipts?.length, 5);
  });

  it('delays a healthy target by a second for dead ones that fill `maxParallel`', async () => {
    const devices = await site.devices('Dead 1', 'Dead 2', 'A', 'B');
    const [dead1, dead2, a, b] = devices;
    assert.ok(dead1 && dead2 && a && b);
    await Promise.all([dead1.close(), dead2.close()]);
    const configs = devices.map((device) => device.config());
    await site.start([
      ...configs,
      group(devices, { maxParallel: 2 }),
      act('door/unlock', { ...toGroup, retryFor: 600 }),
    ]);
    site.send('door/unlock');
    while (clock().pending === 0) await new Promise((resolve) => setImmediate(resolve));
    clock().advance(1_000);
    await site.until(
      'the healthy have it',
      () => a.operationNames.length === 1 && b.operationNames.length === 1,
    );
  });

  it('delays a healthy target by a second for hung ones that fill `maxParallel`', async () => {
    const devices = await site.devices('Hung 1', 'Hung 2', 'A', 'B');
    const [hung1, hung2, a, b] = devices;
    assert.ok(hung1 && hung2 && a && b);
    for (const hung of [hung1, hung2]) hung.behavior = () => 'hold';
    // The time-out never helps.
    const configs = devices.map((device) => device.config({ timeout: 3600 }));
    await site.start([...configs, group(devices, { maxParallel: 2 }), act('door/unlock', toGroup)]);
    const way = site.send('door/unlock');
    await site.until('the hung have it', () => hung1.held.length === 1 && hung2.held.length === 1);
    clock().advance(999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([...a.operationNames, ...b.operationNames], []);
    clock().advance(1);
    await site.until(
      'the healthy have it',
      () => a.operationNames.length === 1 && b.operationNames.length === 1,
    );
    assert.equal(way.isEnded, false);
    for (const hung of [hung1, hung2]) hung.release();
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['Hung 1 accepted', 'Hung 2 accepted', 'A accepted', 'B accepted']);
  });

  it('is superseded by a stop also while it waits for room among the targets', async () => {
    const devices = await site.devices('A', 'B');
    const [a, b] = devices;
    assert.ok(a && b);
    a.behavior = () => 'hold';
    const configs = devices.map((device) => device.config());
    await site.start([
      ...configs,
      group(devices, { maxParallel: 1 }),
      act('door/unlock', toGroup),
      act('door/lock', byMessage),
    ]);
    const opening = site.send('door/unlock');
    await site.until('the first is on the wire', () => a.held.length === 1);
    await site.ask('door/lock', { device: 'B' });
    a.release();
    await site.ended(opening);
    assert.deepEqual(outcomesOf(opening), ['A accepted', 'B superseded']);
    assert.deepEqual(codesOf(opening), [undefined, 'SUPERSEDED']);
    assert.deepEqual(b.operationNames, ['door/lock']);
  });

  it('has the common code of all failures, else the first', async () => {
    const devices = await site.devices('A', 'B');
    const [a, b] = devices;
    assert.ok(a && b);
    await a.close();
    b.behavior = () => 404;
    const configs = devices.map((device) => device.config());
    await site.start([...configs, group(devices), act('door/unlock', toGroup)]);
    const way = await site.ask('door/unlock');
    assert.deepEqual(codesOf(way), ['UNREACHABLE', 'REFUSED']);
    assert.deepEqual(caughtOf(way), ['UNREACHABLE']);
    assert.deepEqual(way.sent, []);
  });
});
