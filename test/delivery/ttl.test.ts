import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, caughtOf, codesOf, outcomesOf, receiptsOf, Site, type Way } from '../fixtures/site';
import { Leap } from './leap';

describe('delivery: ttl', () => {
  let site: Site;
  let device: FakeDevice;
  let leap: Leap;
  beforeEach(async () => {
    leap = new Leap();
    site = new Site();
    device = await site.device('Gate');
  });
  afterEach(async () => {
    await site.end();
    leap.end();
    delete process.env.ALGO_TEST_TTL;
  });

  const toGate = { device: 'gate' };
  const occupying = act('info/status', toGate);
  /** The device, and what keeps it busy. */
  const start = (...nodes: Parameters<Site['start']>[0]) =>
    site.start([device.config({ letDeviceDecide: true }), occupying, ...nodes]);

  /** Sends a message to a busy device that is free again after so many seconds. */
  async function waiting(id: string, seconds: number, message: Record<string, unknown> = {}): Promise<Way> {
    device.behavior = () => 'hold';
    const occupant = site.send('info/status');
    await site.until('the device is busy', () => device.held.length === 1);
    const way = site.send(id, message);
    await new Promise(setImmediate);
    leap.seconds(seconds);
    device.releaseAll();
    await Promise.all([site.ended(occupant), site.ended(way)]);
    return way;
  }

  /** What comes next is all there is: nothing of before was only late. */
  async function isSilent(count: number): Promise<void> {
    await site.ask('info/status');
    assert.equal(device.requests.length, count + 1, device.operationNames.join());
  }

  async function expires(id: string, seconds: number, message: Record<string, unknown> = {}): Promise<void> {
    const way = await waiting(id, seconds, message);
    assert.deepEqual(outcomesOf(way), ['Gate expired']);
    assert.deepEqual(codesOf(way), ['EXPIRED']);
    assert.equal(receiptsOf(way)[0]?.attempts, 0);
    assert.deepEqual(caughtOf(way), ['EXPIRED']);
    assert.deepEqual(way.sent, []);
    await isSilent(1);
  }

  async function isSent(id: string, seconds: number, message: Record<string, unknown> = {}): Promise<void> {
    const way = await waiting(id, seconds, message);
    assert.deepEqual(outcomesOf(way), ['Gate accepted']);
    assert.equal(device.requests.length, 2);
  }

  for (const name of [
    ...['door/unlock', 'door/munlock', 'tone/start', 'tone/test-start', 'tone/test-loop', 'strobe/start'],
    ...['screen/start', 'screen/text-start', 'call/start', 'call/page', 'console/activate'],
    ...['relay/enable', 'relay/menable', 'relay/24v-enable', 'audio/rx-start'],
  ]) {
    it(`of ${name} is a minute when nothing is said`, async () => {
      await start(act(name, { ...toGate, ttl: '' }));
      await isSent(name, 59);
      device.requests.length = 0;
      await expires(name, 60.1);
    });
  }

  for (const [name, given] of [
    ['info/tonelist', {}],
    ['settings/get', { name: 'audio.page.vol' }],
    ['settings/put', { 'audio.page.vol': '-9dB' }],
    ['files/delete', { path: 'tones/old.wav' }],
    ['scheduler/apply', { delete: [{ tag: 'old' }] }],
    ['system/reload', {}],
  ] as const) {
    it(`of ${name} never ends when nothing is said`, async () => {
      await start({
        ...act(name, toGate),
        parametersType: 'json',
        parameters: JSON.stringify(given),
      });
      await isSent(name, 3600);
    });
  }

  it('of an emergency is a minute when nothing is said', async () => {
    await start(act('emergency/start', toGate), act('emergency/stop', toGate));
    device.behavior = () => 'hold';
    const stop = site.send('emergency/stop');
    await site.until('it is under way', () => device.held.length === 1);
    const way = site.send('emergency/start');
    await new Promise(setImmediate);
    leap.seconds(60.1);
    device.releaseAll();
    await Promise.all([site.ended(stop), site.ended(way)]);
    assert.deepEqual(outcomesOf(way), ['Gate expired']);
    await isSilent(1);
  });

  for (const [ttl, seconds] of [
    [5, 5],
    ['5', 5],
    ['2.5', 2.5],
    ['${ALGO_TEST_TTL}', 7],
  ] as const) {
    it(`is ${seconds} s as ${JSON.stringify(ttl)}, for what starts and what reads`, async () => {
      process.env.ALGO_TEST_TTL = '7';
      await start(act('door/unlock', { ...toGate, ttl }), act('info/tonelist', { ...toGate, ttl }));
      await isSent('door/unlock', seconds - 1);
      device.requests.length = 0;
      await expires('door/unlock', seconds + 0.1);
      device.requests.length = 0;
      await expires('info/tonelist', seconds + 0.1);
    });
  }

  it('is none as 0', async () => {
    await start(act('door/unlock', { ...toGate, ttl: 0 }), act('relay/enable', { ...toGate, ttl: '0' }));
    await isSent('door/unlock', 100_000);
    device.requests.length = 0;
    await isSent('relay/enable', 100_000);
  });

  it('is what the message says, whatever the node says', async () => {
    await start(act('door/unlock', { ...toGate, ttl: 100 }), act('relay/enable', { ...toGate, ttl: 2 }));
    await expires('door/unlock', 4, { ttl: 3 });
    device.requests.length = 0;
    await expires('door/unlock', 4, { ttl: '3' });
    device.requests.length = 0;
    await isSent('relay/enable', 4, { ttl: 5 });
    device.requests.length = 0;
    await isSent('relay/enable', 100_000, { ttl: 0 });
  });

  it('ends nothing that is on the wire', async () => {
    await start(act('door/unlock', { ...toGate, ttl: 2 }));
    device.behavior = () => 'hold';
    const way = site.send('door/unlock');
    await site.until('it is under way', () => device.held.length === 1);
    leap.seconds(5);
    device.releaseAll();
    assert.deepEqual(outcomesOf(await site.ended(way)), ['Gate accepted']);
  });

  it('is each target’s own: the others have it', async () => {
    const other = await site.device('Other');
    await start(other.config(), act('door/unlock', { target: 'msg', ttl: 5 }));
    device.behavior = () => 'hold';
    site.send('info/status');
    await site.until('the device is busy', () => device.held.length === 1);
    const way = site.send('door/unlock', { device: ['Gate', 'Other'] });
    await site.until('the other one has it', () => other.operationNames.length === 1);
    leap.seconds(6);
    device.releaseAll();
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['Gate expired', 'Other accepted']);
    assert.equal(way.sent.length, 1);
    assert.deepEqual(caughtOf(way), ['EXPIRED']);
    assert.deepEqual(device.operationNames, ['info/status']);
  });

  for (const ttl of ['soon', -1, '-1', true, 'Infinity', '1e3 s', '${ALGO_TEST_NO_SUCH}', {}]) {
    it(`is refused as ${JSON.stringify(ttl)}, and nothing is sent`, async () => {
      await start(act('door/unlock', { ...toGate, ttl }));
      const way = await site.ask('door/unlock');
      assert.deepEqual(caughtOf(way), ['INVALID_PARAMETER']);
      assert.match(String(way.caught[0]?.error?.message), /ttl/);
      await isSilent(0);
    });
  }

  for (const ttl of ['soon', -1, true, Number.NaN, Number.POSITIVE_INFINITY, [3], Object.create(null)]) {
    it(`is refused as msg.ttl ${String(JSON.stringify(ttl))}, and nothing is sent`, async () => {
      await start(act('door/unlock', { ...toGate, ttl: 100 }));
      const way = await site.ask('door/unlock', { ttl });
      assert.deepEqual(caughtOf(way), ['INVALID_PARAMETER']);
      assert.match(String(way.caught[0]?.error?.message), /ttl/);
      await isSilent(0);
    });
  }
});
