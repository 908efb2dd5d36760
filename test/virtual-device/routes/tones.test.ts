import assert from 'node:assert/strict';
import { withDevice } from '../with-device';

describe('the virtual device: tones (section 4.5.1)', () => {
  const START = 'POST /api/controls/tone/start';
  const STOP = 'POST /api/controls/tone/stop';

  it('loops a tone until it is stopped', () =>
    withDevice({}, async ({ device, clock, sendJson }) => {
      const reply = await sendJson(START, { path: 'chime.wav', loop: true, interval: 2 });
      assert.deepEqual([reply.status, reply.text], [200, '']);
      clock.advance(3_600_000);
      assert.deepEqual(device.state.tone, { path: 'chime.wav', loop: true, interval: 2 });
      assert.equal((await sendJson(STOP)).status, 200);
      assert.equal(device.state.tone, null);
    }));

  it('stops by itself after duration', () =>
    withDevice({}, async ({ device, clock, sendJson }) => {
      await sendJson(START, { path: 'chime.wav', loop: true, duration: 10 });
      clock.advance(9_999);
      assert.notEqual(device.state.tone, null);
      clock.advance(1);
      assert.equal(device.state.tone, null);
    }));

  it('takes every multicast field', () =>
    withDevice({}, async ({ device, sendJson }) => {
      const body = {
        path: 'bell-na.wav',
        loop: false,
        mcast: true,
        playback: 'true',
        state: { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'poly', group: 25 },
      };
      assert.equal((await sendJson(START, body)).status, 200);
      assert.deepEqual(device.state.tone, body);
    }));

  const good = { path: 'chime.wav', loop: false };
  const wrong: readonly [string, object][] = [
    ['a missing path', { loop: true }],
    ['a missing loop', { path: 'chime.wav' }],
    ['loop as a string', { path: 'chime.wav', loop: 'false' }],
    ['a tone that is not there', { path: 'nope.wav', loop: false }],
    ['a fractional duration', { ...good, duration: 1.5 }],
    ['a negative interval', { ...good, interval: -1 }],
    ['playback as a boolean', { ...good, mcast: true, playback: true }],
    ['mcast as a string', { ...good, mcast: 'true' }],
    ['another mode', { ...good, mcast: true, state: { mode: 'receiver' } }],
    ['a numeric port', { ...good, mcast: true, state: { port: 50002 } }],
    ['a group without poly', { ...good, mcast: true, state: { type: 'rtp', group: 1 } }],
    ['group 0', { ...good, mcast: true, state: { type: 'poly', group: 0 } }],
    ['group 26', { ...good, mcast: true, state: { type: 'poly', group: 26 } }],
    ['an unknown field in state', { ...good, state: { zone: 1 } }],
    ['volume', { ...good, volume: 5 }],
  ];
  for (const [what, body] of wrong)
    it(`refuses ${what}`, () =>
      withDevice({}, async ({ device, sendJson }) => {
        assert.equal((await sendJson(START, body)).status, 400);
        assert.equal(device.state.tone, null);
      }));

  it('knows duration from firmware 5.7 on', () =>
    withDevice({ firmware: '5.6' }, async ({ sendJson }) => {
      assert.match((await sendJson(START, { ...good, duration: 1 })).text, /needs firmware 5\.7/);
    }));

  it('multicasts before 5.6 on the 8301 only', async () => {
    for (const [model, firmware, status] of [
      ['8301', '5.5', 200],
      ['8186', '5.5', 400],
      ['8186', '5.6', 200],
    ] as const)
      await withDevice({ model, firmware }, async ({ sendJson }) => {
        assert.equal(
          (await sendJson(START, { ...good, mcast: true })).status,
          status,
          `${model} ${firmware}`,
        );
      });
  });

  it('wants the path to stop on 5.4, and no body on 5.5', async () => {
    await withDevice({ firmware: '5.4' }, async ({ device, sendJson }) => {
      await sendJson(START, { path: 'chime.wav', loop: true });
      assert.equal((await sendJson(STOP)).status, 400);
      assert.equal((await sendJson(STOP, { path: 'gong.wav' })).status, 200);
      assert.notEqual(device.state.tone, null);
      assert.equal((await sendJson(STOP, { path: 'chime.wav' })).status, 200);
      assert.equal(device.state.tone, null);
    });
    await withDevice({ firmware: '5.5' }, async ({ sendJson }) => {
      assert.equal((await sendJson(STOP, { path: 'chime.wav' })).status, 400);
      assert.equal((await sendJson(STOP)).status, 200);
    });
  });

  it('gates by class words where the class is beyond doubt', async () => {
    for (const [model, status] of [
      ['8186', 200],
      ['8410', 200],
      ['8375', 200],
      ['8203', 200],
      ['8312', 200],
      ['8063', 404],
      ['8128', 404],
      ['8450', 404],
    ] as const)
      await withDevice({ model }, async ({ sendJson }) => {
        assert.equal((await sendJson(START, good)).status, status, model);
      });
  });

  it('plays and loops its test, and ends it', () =>
    withDevice({ model: '8128' }, async ({ device, clock, sendJson }) => {
      await sendJson('POST /api/controls/test/start');
      assert.equal(device.state.test, 'playing');
      clock.advance(5000);
      assert.equal(device.state.test, 'stopped');
      await sendJson('POST /api/controls/test/loop');
      clock.advance(60_000);
      assert.equal(device.state.test, 'looping');
      await sendJson('POST /api/controls/test/stop');
      assert.equal(device.state.test, 'stopped');
    }));

  it('only loops its test on the 8507 and the 8516', async () => {
    for (const model of ['8507', '8516'])
      await withDevice({ model }, async ({ sendJson }) => {
        assert.equal((await sendJson('POST /api/controls/test/start')).status, 404, model);
        assert.equal((await sendJson('POST /api/controls/test/loop')).status, 200, model);
        assert.equal((await sendJson('POST /api/controls/test/stop')).status, 200, model);
      });
  });
});
