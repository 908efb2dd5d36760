import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, caughtOf, codesOf, outcomesOf, receiptsOf, Site, type Way } from '../fixtures/site';

/** Longer than the first two tries are apart, shorter than anything that is tried again goes on for. */
const away = () => sleep(600);

const stops = [
  ...['emergency/start', 'emergency/stop', 'door/lock', 'tone/stop', 'tone/test-stop', 'strobe/stop'],
  ...['screen/stop', 'screen/text-stop', 'call/stop', 'relay/disable', 'audio/rx-stop'],
];

describe('delivery: retryFor', () => {
  let site: Site;
  let device: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    device = await site.device('Gate');
  });
  afterEach(async () => {
    await site.end();
    delete process.env.ALGO_TEST_RETRY;
  });

  const toGate = { device: 'gate' };
  const start = (...nodes: Parameters<Site['start']>[0]) =>
    site.start([device.config({ letDeviceDecide: true }), ...nodes]);
  const attemptsOf = (way: Way) => receiptsOf(way).map(({ attempts }) => attempts);
  /** Answers as often with this before it says yes. */
  const atFirst = (count: number, behavior: number | 'reset') => {
    device.behavior = () => (device.requests.length <= count ? behavior : 200);
  };

  for (const retryFor of [60, '60', '${ALGO_TEST_RETRY}']) {
    it(`as ${JSON.stringify(retryFor)} reaches a device that comes back, also with what is not safe to repeat`, async () => {
      process.env.ALGO_TEST_RETRY = '60';
      await start(act('tone/start', { ...toGate, retryFor }));
      await device.close();
      const way = site.send('tone/start');
      await away();
      assert.equal(way.isEnded, false);
      await device.open();
      await site.ended(way);
      assert.deepEqual(outcomesOf(way), ['Gate accepted']);
      assert.deepEqual(attemptsOf(way), [1], 'attempts are requests on the wire');
      assert.deepEqual(way.caught, []);
      assert.deepEqual(device.operationNames, ['tone/start']);
    });
  }

  it('goes on for so long, and then the last error stands', async () => {
    const other = await site.device('Other');
    await start(
      other.config(),
      act('door/unlock', { ...toGate, retryFor: 4 }),
      act('relay/enable', { device: 'other', retryFor: 0 }),
    );
    await Promise.all([device.close(), other.close()]);
    const way = site.send('door/unlock');
    const once = await site.ask('relay/enable');
    assert.equal(way.isEnded, false, 'it is tried for longer than that');
    assert.deepEqual(codesOf(once), ['UNREACHABLE']);
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['Gate failed']);
    assert.deepEqual(codesOf(way), ['UNREACHABLE']);
    assert.deepEqual(caughtOf(way), ['UNREACHABLE']);
    assert.deepEqual(attemptsOf(way), [0]);
    assert.deepEqual(way.sent, []);
  });

  it('has the code of the last error, not of the first', async () => {
    await start(act('strobe/start', { ...toGate, retryFor: 3 }));
    await device.close();
    const way = site.send('strobe/start');
    device.behavior = () => 503;
    await device.open();
    await site.ended(way);
    assert.deepEqual(codesOf(way), ['REFUSED']);
    assert.deepEqual(outcomesOf(way), ['Gate failed']);
    assert.deepEqual(attemptsOf(way), [device.requests.length]);
    assert.ok(device.requests.length > 1, 'it was tried several times');
  });

  for (const name of ['info/tonelist', 'strobe/start', 'door/unlock', 'relay/enable']) {
    it(`tries ${name} again after 503, since it is safe to repeat`, async () => {
      await start(act(name, { ...toGate, retryFor: 60 }));
      atFirst(2, 503);
      const way = await site.ask(name);
      assert.deepEqual(outcomesOf(way), ['Gate accepted']);
      assert.deepEqual(attemptsOf(way), [3]);
      assert.equal(device.operationNames.length, 3);
    });

    it(`tries ${name} again after answers that got lost`, async () => {
      await start(act(name, { ...toGate, retryFor: 60 }));
      atFirst(5, 'reset');
      const way = await site.ask(name);
      assert.deepEqual(outcomesOf(way), ['Gate accepted']);
      assert.deepEqual(attemptsOf(way), [6]);
    });
  }

  for (const name of ['tone/start', 'door/munlock', 'relay/menable', 'call/start', 'console/activate']) {
    for (const [behavior, outcome] of [
      [503, 'failed'],
      ['reset', 'unknown'],
    ] as const) {
      it(`never sends ${name} twice, after ${behavior === 503 ? 'a 503' : 'a lost answer'} either`, async () => {
        await start(act(name, { ...toGate, retryFor: 60 }), act('info/status', toGate));
        atFirst(1, behavior);
        const way = await site.ask(name);
        assert.deepEqual(outcomesOf(way), [`Gate ${outcome}`]);
        assert.deepEqual(attemptsOf(way), [1]);
        await site.ask('info/status');
        assert.equal(device.operationNames.length, 2);
      });
    }
  }

  it('does not try again what the device refuses', async () => {
    await start(act('door/unlock', { ...toGate, retryFor: 60 }), act('info/status', toGate));
    atFirst(1, 404);
    const way = await site.ask('door/unlock');
    assert.deepEqual(codesOf(way), ['REFUSED']);
    assert.deepEqual(attemptsOf(way), [1]);
    await site.ask('info/status');
    assert.deepEqual(device.operationNames, ['door/unlock', 'info/status']);
  });

  it('is on by itself for relay/24v-disable too, which is on no list of what may be done twice', async () => {
    await start(act('relay/24v-disable', { ...toGate, retryFor: '' }));
    await device.close();
    const way = site.send('relay/24v-disable');
    await away();
    await device.open();
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['Gate accepted']);
    assert.deepEqual(attemptsOf(way), [1]);
  });

  for (const name of stops) {
    it(`is on by itself for ${name}`, async () => {
      await start(act(name, { ...toGate, retryFor: '' }));
      atFirst(1, 503);
      const way = await site.ask(name);
      assert.deepEqual(outcomesOf(way), ['Gate accepted']);
      assert.deepEqual(attemptsOf(way), [2]);
    });
  }

  it('is on by itself for a device that comes back, and off as 0', async () => {
    await start(act('door/lock', toGate), act('emergency/stop', { ...toGate, retryFor: 0 }));
    await device.close();
    const way = site.send('door/lock');
    const once = await site.ask('emergency/stop');
    assert.deepEqual(codesOf(once), ['UNREACHABLE']);
    assert.equal(way.isEnded, false);
    await device.open();
    assert.deepEqual(outcomesOf(await site.ended(way)), ['Gate accepted']);
    assert.deepEqual(device.operationNames, ['door/lock']);
  });

  for (const name of ['door/unlock', 'strobe/start', 'relay/enable', 'info/tonelist', 'screen/start']) {
    it(`is off by itself for ${name}`, async () => {
      await start(act(name, toGate));
      atFirst(1, 503);
      const way = await site.ask(name);
      assert.deepEqual(codesOf(way), ['REFUSED']);
      assert.equal(device.operationNames.length, 1);
    });
  }

  for (const [from, more, message] of [
    ['the node', { ttl: 1 }, {}],
    ['the message', {}, { ttl: '1' }],
  ] as const) {
    it(`ends with the ttl of ${from}, and the last error’s code stands`, async () => {
      await start(act('door/unlock', { ...toGate, retryFor: 60, ...more }));
      await device.close();
      const way = await site.ask('door/unlock', message);
      assert.deepEqual(codesOf(way), ['UNREACHABLE']);
      assert.deepEqual(outcomesOf(way), ['Gate failed']);
    });
  }

  it('gives way to a stop: what is to be tried again is superseded', async () => {
    await start(act('tone/start', { ...toGate, retryFor: 60 }), act('tone/stop', toGate));
    await device.close();
    const way = site.send('tone/start');
    await away();
    const stop = site.send('tone/stop');
    await site.ended(way);
    assert.deepEqual(outcomesOf(way), ['Gate superseded']);
    assert.deepEqual(codesOf(way), ['SUPERSEDED']);
    assert.deepEqual(caughtOf(way), ['SUPERSEDED']);
    assert.deepEqual(attemptsOf(way), [0]);
    await device.open();
    assert.deepEqual(outcomesOf(await site.ended(stop)), ['Gate accepted']);
    assert.deepEqual(device.operationNames, ['tone/stop']);
  });

  it('keeps the order: what comes later waits, but what is urgent', async () => {
    await start(
      act('strobe/start', { ...toGate, retryFor: 60 }),
      act('relay/enable', toGate),
      act('emergency/start', toGate),
    );
    device.behavior = ({ operationName }) =>
      operationName === 'strobe/start' && device.requests.length < 5 ? 503 : 200;
    const first = site.send('strobe/start');
    await site.until('it was tried', () => device.operationNames.length === 1);
    const second = site.send('relay/enable');
    assert.deepEqual(outcomesOf(await site.ask('emergency/start')), ['Gate accepted']);
    assert.equal(first.isEnded, false);
    await site.ended(first);
    await site.ended(second);
    assert.deepEqual(outcomesOf(second), ['Gate accepted']);
    assert.equal(
      device.operationNames.indexOf('relay/enable'),
      device.operationNames.lastIndexOf('strobe/start') + 1,
    );
    assert.ok(
      device.operationNames.indexOf('emergency-alert/start') <
        device.operationNames.lastIndexOf('strobe/start'),
    );
  });

  for (const retryFor of ['soon', -1, true, 'Infinity', '${ALGO_TEST_NO_SUCH}']) {
    it(`is refused as ${JSON.stringify(retryFor)}, and nothing is sent`, async () => {
      await start(act('door/lock', { ...toGate, retryFor }), act('info/status', toGate));
      const way = await site.ask('door/lock');
      assert.deepEqual(caughtOf(way), ['INVALID_PARAMETER']);
      assert.match(String(way.caught[0]?.error?.message), /retryFor/);
      await site.ask('info/status');
      assert.deepEqual(device.operationNames, ['info/status']);
    });
  }
});
