import assert from 'node:assert/strict';
import { withDevice } from './bench';

const DOOR = 'POST /api/controls/door';

describe('the virtual device: doors (section 4.4)', () => {
  it('unlocks and locks each of its doors, without an answer body', () =>
    withDevice({ model: '8063' }, async ({ device, tell }) => {
      const unlocked = await tell(`${DOOR}/unlock`, { doorid: 'netdc1' });
      assert.deepEqual([unlocked.status, unlocked.text], [200, '']);
      assert.equal(unlocked.headers['content-type'], undefined);
      assert.deepEqual(device.state.doors, { local: 'locked', netdc1: 'unlocked' });
      await tell(`${DOOR}/lock`, { doorid: 'netdc1' });
      assert.deepEqual(device.state.doors, { local: 'locked', netdc1: 'locked' });
    }));

  it('relocks after a momentary unlock, and not earlier', () =>
    withDevice({ model: '8063' }, async ({ device, clock, tell }) => {
      assert.equal((await tell(`${DOOR}/munlock`, { doorid: 'local', duration: '5' })).status, 200);
      clock.advance(4999);
      assert.equal(device.state.doors.local, 'unlocked');
      clock.advance(1);
      assert.equal(device.state.doors.local, 'locked');
    }));

  it('stays unlocked when it was unlocked for good meanwhile', () =>
    withDevice({ model: '8063' }, async ({ device, clock, tell }) => {
      await tell(`${DOOR}/munlock`, { doorid: 'local', duration: '5' });
      await tell(`${DOOR}/unlock`, { doorid: 'local' });
      clock.advance(60_000);
      assert.equal(device.state.doors.local, 'unlocked');
    }));

  const wrong: readonly [string, string, unknown, RegExp][] = [
    ['no door', '/lock', {}, /doorid is missing/],
    ['another door', '/lock', { doorid: 'front' }, /doorid must be "netdc1" or "local", not "front"/],
    ['an unknown field', '/lock', { doorid: 'local', duration: '5' }, /duration is not known here/],
    ['a number where the document has a string', '/munlock', { doorid: 'local', duration: 5 }, /duration/],
    ['a duration with a unit', '/munlock', { doorid: 'local', duration: '5s' }, /duration/],
    ['null', '/munlock', { doorid: 'local', duration: null }, /duration/],
    ['a list', '/lock', [{ doorid: 'local' }], /must be an object/],
    ['no body', '/lock', undefined, /JSON body is expected/],
  ];
  for (const [what, path, body, reason] of wrong)
    it(`refuses ${what}, with the reason`, () =>
      withDevice({ model: '8063' }, async ({ device, tell }) => {
        const reply = await tell(DOOR + path, body);
        assert.equal(reply.status, 400);
        assert.match(JSON.parse(reply.text).error, reason);
        assert.match(device.log[0]?.reason ?? '', reason);
        assert.deepEqual(device.state.doors, { local: 'locked', netdc1: 'locked' });
      }));

  it('has them on the models of the list only', async () => {
    for (const [model, status] of [
      ['8028', 200],
      ['8028G2', 200],
      ['8039', 200],
      ['8201', 200],
      ['8063', 200],
      ['8203', 404],
      ['8301', 404],
    ] as const)
      await withDevice({ model }, async ({ tell }) => {
        assert.equal((await tell(`${DOOR}/lock`, { doorid: 'local' })).status, status, model);
      });
  });

  it('has munlock from firmware 5.5 on', async () => {
    const munlock = { doorid: 'local', duration: '1' };
    await withDevice({ model: '8063', firmware: '5.4' }, async ({ tell }) => {
      const reply = await tell(`${DOOR}/munlock`, munlock);
      assert.equal(reply.status, 404);
      assert.match(reply.text, /firmware 5\.5 or newer; this device has 5\.4/);
      assert.equal((await tell(`${DOOR}/unlock`, { doorid: 'local' })).status, 200);
    });
    await withDevice({ model: '8063', firmware: '5.5_beta11' }, async ({ tell }) => {
      assert.equal((await tell(`${DOOR}/munlock`, munlock)).status, 200);
    });
  });
});

describe('the virtual device: tones (section 4.5.1)', () => {
  const START = 'POST /api/controls/tone/start';
  const STOP = 'POST /api/controls/tone/stop';

  it('loops a tone until it is stopped', () =>
    withDevice({}, async ({ device, clock, tell }) => {
      const reply = await tell(START, { path: 'chime.wav', loop: true, interval: 2 });
      assert.deepEqual([reply.status, reply.text], [200, '']);
      clock.advance(3_600_000);
      assert.deepEqual(device.state.tone, { path: 'chime.wav', loop: true, interval: 2 });
      assert.equal((await tell(STOP)).status, 200);
      assert.equal(device.state.tone, null);
    }));

  it('stops by itself after duration', () =>
    withDevice({}, async ({ device, clock, tell }) => {
      await tell(START, { path: 'chime.wav', loop: true, duration: 10 });
      clock.advance(9_999);
      assert.notEqual(device.state.tone, null);
      clock.advance(1);
      assert.equal(device.state.tone, null);
    }));

  it('takes every multicast field', () =>
    withDevice({}, async ({ device, tell }) => {
      const body = {
        path: 'bell-na.wav',
        loop: false,
        mcast: true,
        playback: 'true',
        state: { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'poly', group: 25 },
      };
      assert.equal((await tell(START, body)).status, 200);
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
      withDevice({}, async ({ device, tell }) => {
        assert.equal((await tell(START, body)).status, 400);
        assert.equal(device.state.tone, null);
      }));

  it('knows duration from firmware 5.7 on', () =>
    withDevice({ firmware: '5.6' }, async ({ tell }) => {
      assert.match((await tell(START, { ...good, duration: 1 })).text, /needs firmware 5\.7/);
    }));

  it('multicasts before 5.6 on the 8301 only', async () => {
    for (const [model, firmware, status] of [
      ['8301', '5.5', 200],
      ['8186', '5.5', 400],
      ['8186', '5.6', 200],
    ] as const)
      await withDevice({ model, firmware }, async ({ tell }) => {
        assert.equal((await tell(START, { ...good, mcast: true })).status, status, `${model} ${firmware}`);
      });
  });

  it('wants the path to stop on 5.4, and no body on 5.5', async () => {
    await withDevice({ firmware: '5.4' }, async ({ device, tell }) => {
      await tell(START, { path: 'chime.wav', loop: true });
      assert.equal((await tell(STOP)).status, 400);
      assert.equal((await tell(STOP, { path: 'gong.wav' })).status, 200);
      assert.notEqual(device.state.tone, null);
      assert.equal((await tell(STOP, { path: 'chime.wav' })).status, 200);
      assert.equal(device.state.tone, null);
    });
    await withDevice({ firmware: '5.5' }, async ({ tell }) => {
      assert.equal((await tell(STOP, { path: 'chime.wav' })).status, 400);
      assert.equal((await tell(STOP)).status, 200);
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
      await withDevice({ model }, async ({ tell }) => {
        assert.equal((await tell(START, good)).status, status, model);
      });
  });

  it('plays and loops its test, and ends it', () =>
    withDevice({ model: '8128' }, async ({ device, clock, tell }) => {
      await tell('POST /api/controls/test/start');
      assert.equal(device.state.test, 'playing');
      clock.advance(5000);
      assert.equal(device.state.test, 'stopped');
      await tell('POST /api/controls/test/loop');
      clock.advance(60_000);
      assert.equal(device.state.test, 'looping');
      await tell('POST /api/controls/test/stop');
      assert.equal(device.state.test, 'stopped');
    }));
});

describe('the virtual device: what it says of itself (section 4.1)', () => {
  it('has an about record', () =>
    withDevice({ model: '8190s', firmware: '5.4' }, async ({ tell }) => {
      const about = JSON.parse((await tell('GET /api/info/about')).text);
      assert.equal(about['Product Name'], 'Algo 8190S IP Speaker - Clock & Visual Alerter');
      assert.equal(about['Firmware Version'], '5.4');
      assert.match(about['MAC Address'], /^00:22:ee(:[0-9a-f]{2}){3}$/);
      assert.equal(about['Manufacturer Certificate'], 'Installed');
    }));

  it('has none before 5.4', () =>
    withDevice({ firmware: '5.3.4' }, async ({ tell }) => {
      assert.equal((await tell('GET /api/info/about')).status, 404);
      assert.equal((await tell('GET /api/info/status')).status, 404);
      assert.equal((await tell('GET /api/info/tonelist')).status, 200);
    }));

  it('has a status record that fits the model and follows the settings', () =>
    withDevice({ name: 'Hall' }, async ({ tell }) => {
      await tell('PUT /api/settings', { 'audio.page.vol': '0dB', 'mcast.mode': '1' });
      await tell('POST /api/controls/reload');
      const status = JSON.parse((await tell('GET /api/info/status')).text);
      assert.equal(status['Device Name'], 'Hall');
      assert.equal(status.Volume, 'Page Volume: 10 (0dB)');
      assert.equal(status['Date / Time'], 'Mon Sep 28 17:07:18 GMT 2020');
      assert.equal(status['Multicast Mode'], 'Transmitter (Idle)');
      assert.equal(status['Next Scheduled Event'], 'No Events Scheduled');
      assert.ok(Object.values(status).every((value) => typeof value === 'string'));
    }));

  it('lists its tones', () =>
    withDevice({}, async ({ tell }) => {
      const { tonelist } = JSON.parse((await tell('GET /api/info/tonelist')).text);
      assert.equal(tonelist.length, 13);
      assert.ok(tonelist.includes('tone-1kHz-max.wav'));
    }));

  it('reads and writes settings, as strings', () =>
    withDevice({}, async ({ device, tell }) => {
      const written = await tell('PUT /api/settings', { 'audio.page.vol': '-3dB', 'sip.u1.user': '200' });
      assert.deepEqual([written.status, written.text], [204, '']);
      const read = await tell('GET /api/settings/audio.page.vol');
      assert.deepEqual(JSON.parse(read.text), { 'audio.page.vol': '-3dB' });
      assert.equal(device.settings['sip.u1.user'], '200');
      for (const body of [{ 'audio.page.vol': 3 }, { 'mcast.mode': true }, {}, { vol: '3' }, { 'a.b': null }])
        assert.equal((await tell('PUT /api/settings', body)).status, 400, JSON.stringify(body));
      assert.equal((await tell('GET /api/settings/no.such.thing')).status, 404);
    }));
});

describe('the virtual device: what it does not know', () => {
  it('refuses unknown paths, methods and queries, wrong types and needless bodies', () =>
    withDevice({}, async ({ tell }) => {
      const cases: readonly [string, unknown, object, number][] = [
        ['GET /api/nothing', undefined, {}, 404],
        ['GET /api/info/about/', undefined, {}, 404],
        ['GET /api//info/about', undefined, {}, 404],
        ['POST /api/info/about', undefined, {}, 405],
        ['PATCH /api/settings', { 'a.b': '1' }, {}, 405],
        ['GET /api/info/about?x=1', undefined, {}, 400],
        ['GET /api/settings/%', undefined, {}, 400],
        ['GET /api/settings/a%2Fb', undefined, {}, 400],
        ['POST /api/controls/tone/stop', {}, {}, 400],
        ['PUT /api/settings', { 'a.b': '1' }, { type: 'text/plain' }, 400],
        ['PUT /api/settings', { 'a.b': '1' }, { type: 'application/json; charset=utf-8' }, 400],
      ];
      for (const [route, body, wish, status] of cases)
        assert.equal((await tell(route, body, wish)).status, status, `${route} ${JSON.stringify(wish)}`);
    }));

  it('overlooks what is harmless when it is lenient', () =>
    withDevice({ lenient: true }, async ({ tell }) => {
      const type = 'application/json; charset=utf-8';
      assert.equal((await tell('PUT /api/settings', { 'a.b': '1' }, { type })).status, 204);
      assert.equal((await tell('POST /api/controls/tone/stop', {})).status, 200);
      const more = { path: 'chime.wav', loop: true, volume: 5 };
      assert.equal((await tell('POST /api/controls/tone/start', more)).status, 200);
      assert.equal((await tell('POST /api/controls/tone/start', { path: 'chime.wav' })).status, 400);
    }));
});
