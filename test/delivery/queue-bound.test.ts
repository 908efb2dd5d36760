import assert from 'node:assert/strict';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, caughtOf, codesOf, outcomesOf, receiptsOf, Site, type Way } from '../fixtures/site';

describe('delivery: how many messages wait at a device', () => {
  let site: Site;
  let device: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
    device.behavior = () => 'hold';
  });
  afterEach(async () => {
    await site.end();
    delete process.env.ALGO_TEST_QUEUE;
  });

  const toGate = { device: 'gate' };
  const enable = act('relay/enable', toGate);
  const send = (count: number, message = {}) =>
    Array.from({ length: count }, () => site.send('relay/enable', message));
  const isUnderWay = () => site.until('one is under way', () => device.held.length === 1);

  async function isFull(way: Way): Promise<void> {
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['Gate failed']);
    assert.deepEqual(codesOf(way), ['QUEUE_FULL']);
    assert.deepEqual(caughtOf(way), ['QUEUE_FULL']);
    assert.equal(receiptsOf(way)[0]?.attempts, 0);
    assert.deepEqual(way.sent, []);
  }

  async function areAccepted(ways: readonly Way[]): Promise<void> {
    device.releaseAll();
    for (const way of ways) assert.deepEqual(outcomesOf(await site.ended(way)), ['Gate accepted']);
  }

  for (const queueLimit of [3, '3', '${ALGO_TEST_QUEUE}']) {
    it(`is bounded by ${JSON.stringify(queueLimit)}: one is under way, three wait, the fifth is refused`, async () => {
      process.env.ALGO_TEST_QUEUE = '3';
      await site.start([device.config({ queueLimit }), enable]);
      const [first] = send(1);
      await isUnderWay();
      const waiting = send(3);
      await isFull(send(1)[0] as Way);
      for (const way of waiting) assert.equal(way.isEnded, false);
      await areAccepted([first as Way, ...waiting]);
      assert.equal(device.operationNames.length, 4);
    });
  }

  for (const [what, identity] of [
    ['that is known', {}],
    ['that is still to be asked who it is', { model: '', firmware: '' }],
  ] as const) {
    it(`counts the same for a device ${what}, when all come at once`, async () => {
      await site.start([device.config({ queueLimit: 3, ...identity }), enable]);
      const ways = send(6);
      await Promise.all(ways.slice(4).map(isFull));
      assert.deepEqual(
        ways.map(({ isEnded }) => isEnded),
        [false, false, false, false, true, true],
      );
      await areAccepted(ways.slice(0, 4));
      assert.equal(device.operationNames.length, 4);
    });
  }

  for (const [what, node, code] of [
    ['is invalid', act('tone/start', { ...toGate, given: { loop: 'perhaps' } }), 'INVALID_PARAMETER'],
    ['the model does not support', act('screen/start', toGate), 'NOT_SUPPORTED'],
  ] as const) {
    it(`counts no message that ${what}`, async () => {
      await site.start([device.config({ queueLimit: 1, model: '8063' }), enable, node]);
      for (let count = 0; count < 4; count += 1)
        assert.deepEqual(codesOf(await site.ask(String(node.id))), [code]);
      const ways = send(2);
      await isUnderWay();
      await areAccepted(ways);
    });
  }

  it('has room again when one has ended', async () => {
    await site.start([device.config({ queueLimit: 1 }), enable]);
    const ways = send(2);
    await isUnderWay();
    await isFull(send(1)[0] as Way);
    device.release();
    await site.ended(ways[0] as Way);
    await isUnderWay();
    const [next] = send(1);
    await isFull(send(1)[0] as Way);
    await areAccepted([ways[1] as Way, next as Way]);
  });

  it('is a thousand when nothing is said', async () => {
    await site.start([device.config(), enable]);
    const ways = send(1001);
    await isUnderWay();
    await isFull(send(1)[0] as Way);
    await areAccepted(ways);
  });

  it('does not count what is urgent, nor keep it out', async () => {
    await site.start([
      device.config({ queueLimit: 2, letDeviceDecide: true }),
      enable,
      act('emergency/start', toGate),
      act('emergency/stop', toGate),
      act('door/lock', toGate),
    ]);
    const ways = send(3);
    await isUnderWay();
    const urgent = [site.send('emergency/start'), site.send('emergency/stop'), site.send('door/lock')];
    await site.until('one goes beside it', () => device.held.length === 2);
    await isFull(send(1)[0] as Way);
    device.releaseAll();
    for (const way of urgent) await site.ended(way);
    await areAccepted(ways);
    const fresh = send(1);
    await areAccepted(fresh);
  });

  it('does not count readings, neither under way nor waiting', async () => {
    const onTab = { z: 'tab', x: 100, y: 100 };
    await site.start([
      device.config({ queueLimit: 2, model: '8301', letDeviceDecide: true }),
      enable,
      { ...onTab, id: 'watch', type: 'algo-status', ...toGate, interval: 0.2, wires: [[], []] },
      { ...onTab, id: 'input', type: 'algo-relay-input', ...toGate, interval: 0.2, wires: [[], []] },
    ]);
    await isUnderWay();
    const ways = send(2);
    await isFull(send(1)[0] as Way);
    assert.deepEqual(
      ways.map(({ isEnded }) => isEnded),
      [false, false],
    );
    await areAccepted(ways);
  });

  it('is bounded by the group for its rows', async () => {
    const row = device;
    await site.start([
      { id: 'hall', type: 'algo-group', name: 'Hall', auth: 'none', rows: [row.row()], queueLimit: '2' },
      act('door/lock', { target: 'msg', retryFor: 0 }),
      act('relay/enable', { target: 'msg' }),
    ]);
    const to = { device: 'Gate' };
    const ways = send(3, to);
    await isUnderWay();
    await isFull(send(1, to)[0] as Way);
    await areAccepted(ways);
  });

  it('is each device’s own: the others of a message have it', async () => {
    const other = await site.device('Other');
    await site.start([
      device.config({ queueLimit: 1 }),
      other.config({ queueLimit: 1 }),
      { ...enable, target: 'msg' },
    ]);
    const ways = send(2, { device: 'Gate' });
    await isUnderWay();
    const both = site.send('relay/enable', { device: ['Gate', 'Other'] });
    await site.ended(both);
    assert.deepEqual(outcomesOf(both), ['Gate failed', 'Other accepted']);
    assert.deepEqual(caughtOf(both), ['QUEUE_FULL']);
    assert.equal(both.sent.length, 1);
    await areAccepted(ways);
  });
});
