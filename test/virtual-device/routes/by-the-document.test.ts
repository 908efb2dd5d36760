import assert from 'node:assert/strict';
import type { VirtualDevice } from '../../../src/virtual-device/device';
import type { VirtualDeviceOptions } from '../../../src/virtual-device/device-options';
import { withDevice as withFixture } from '../with-device';

interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a device answers
  readonly json: any;
}

type Ask = (line: string, json?: object) => Promise<Answered>;

/** A virtual device, and its answers as JSON. */
const withDevice = (
  options: VirtualDeviceOptions,
  work: (ask: Ask, device: VirtualDevice) => Promise<void>,
): Promise<void> =>
  withFixture(options, ({ device, sendJson }) =>
    work(async (line, body) => {
      const { status, text } = await sendJson(line, body, { password: options.password ?? 'algo' });
      return { status, json: text.startsWith('{') ? JSON.parse(text) : {} };
    }, device),
  );

describe('a virtual device, line by line of the document', () => {
  it('sends multicast for the call that says so, whatever is set (1.4, 2.3)', () =>
    withDevice({ model: '8301' }, async (ask) => {
      const mode = async () => (await ask('GET /api/info/status')).json['Multicast Mode'];
      assert.equal(await mode(), 'Disabled');
      const tone = { path: 'chime.wav', loop: true, mcast: true };
      const state = { mode: 'sender', address: '224.0.2.60', port: '50002', type: 'rtp' };
      await ask('POST /api/controls/tone/start', { ...tone, state });
      assert.equal(await mode(), 'Transmitter (Active) zone 224.0.2.60:50002');
      await ask('POST /api/controls/tone/start', tone);
      assert.equal(await mode(), 'Transmitter (Active) zone 1');
      // What an update has stored applies where the call itself says nothing (4.5.1).
      await ask('POST /api/state/mcast/update/', { ...state, address: '224.0.2.61' });
      await ask('POST /api/controls/tone/start', tone);
      assert.equal(await mode(), 'Transmitter (Active) zone 224.0.2.61:50002');
      await ask('POST /api/controls/tone/stop');
      assert.equal(await mode(), 'Disabled');
    }));

  it('measures noise only while ambient noise compensation is on (4.1)', () =>
    withDevice({ model: '8190' }, async (ask) => {
      const level = async () => (await ask('GET /api/info/audio.noise.level')).json['audio.noise.level'];
      await ask('POST /api/controls/noise/update', { level: '-42' });
      await ask('PUT /api/settings', { 'audio.noise.use': '0' });
      assert.equal(await level(), 'Disabled');
      await ask('PUT /api/settings', { 'audio.noise.use': '1' });
      assert.equal(await level(), '-42');
    }));

  it('tells state, mode, action and tampering of a relay input, or that it is disabled (2.3)', () =>
    withDevice({ model: '8301' }, async (ask, device) => {
      const text = async () => (await ask('GET /api/info/status')).json['Relay Input Status'];
      assert.equal(await text(), 'idle, Mode: Normally Open, Action: None, Tamper: No');
      device.setInput('relay', 'active (Normally Closed)');
      assert.equal(await text(), 'active, Mode: Normally Closed, Action: None, Tamper: No');
      device.setInput('relay', 'active');
      assert.equal(await text(), 'active, Mode: Normally Open, Action: None, Tamper: No');
      device.setInput('relay', 'Disabled');
      assert.equal(await text(), 'Disabled');
    }));

  it('takes any number of a pattern, since which are valid is not documented (4.10)', () =>
    withDevice({ model: '8138' }, async (ask) => {
      const strobe = { color1: 'red', ledlvl: '56' };
      assert.equal((await ask('POST /api/controls/strobe/start', { ...strobe, pattern: 77 })).status, 200);
      for (const pattern of ['7', 1.5, null, 2 ** 53])
        assert.equal((await ask('POST /api/controls/strobe/start', { ...strobe, pattern })).status, 400);
    }));

  const bell = {
    event_type: 'play_tone',
    name: 'Bell',
    audio: 'chime.wav',
    start_date: '2026-09-01',
    start_time: '08:00',
    rrule: 'FREQ=DAILY',
    color: '#ff8800',
  };
  const schedule = (work: (post: (json: object) => Promise<Answered>) => Promise<void>) =>
    withDevice({ model: '8301' }, (ask) => work((json) => ask('POST /api/schedules', json)));
  const status = async (post: (json: object) => Promise<Answered>, event: object) =>
    (await post({ events: [event] })).status;

  it('knows no limits of a schedule that the document does not name (2.6a)', () =>
    schedule(async (post) => {
      for (const rrule of [
        'FREQ=DAILY;INTERVAL=10000',
        'FREQ=DAILY;COUNT=100000',
        `FREQ=DAILY;INTERVAL=${'9'.repeat(400)}`,
      ])
        assert.equal(await status(post, { ...bell, rrule }), 200, rrule);
      assert.equal(await status(post, { ...bell, name: '' }), 200);
      assert.equal(await status(post, { ...bell, rrule: 'FREQ=DAILY;INTERVAL=0' }), 400);
    }));

  it('knows no limit of a time in seconds that the document does not name (4.4)', () =>
    withDevice({ model: '8201' }, async (ask) => {
      const unlock = async (duration: string) =>
        (await ask('POST /api/controls/door/munlock', { doorid: 'local', duration })).status;
      assert.equal(await unlock('9999999999'), 200);
      for (const wrong of ['', '-1', '1.5', '9'.repeat(400)]) assert.equal(await unlock(wrong), 400, wrong);
    }));

  it('wants a recurrence also of an event with a delay (2.6a, 4.13)', () =>
    schedule(async (post) => {
      const { start_date, start_time, rrule, ...soon } = bell;
      assert.equal(await status(post, { ...soon, delay: 60 }), 400);
      assert.equal(await status(post, { ...soon, delay: 60, rrule: '' }), 200);
    }));

  it('wants what a type needs also of an event that becomes one of that type (2.6a)', () =>
    schedule(async (post) => {
      const { evid } = (await post({ events: [bell] })).json.events[0];
      assert.equal(await status(post, { evid, event_type: 'sip_call' }), 400);
      assert.equal(await status(post, { evid, event_type: 'sip_call', extension: 101 }), 200);
      assert.equal(await status(post, { evid, event_type: 'sip_call' }), 200);
    }));

  it('judges the calls of an event (2.6a)', () =>
    schedule(async (post) => {
      const entry = {
        method: 'POST',
        target: '192.0.2.7',
        path: '/api/controls/reload',
        header: '',
        payload: '{}',
      };
      const of = (more: object) => ({
        ...bell,
        event_type: 'api_call',
        extension: 1,
        api_call: [{ ...entry, ...more }],
      });
      for (const [more, expected] of [
        [{}, 200],
        [{ path: '//b' }, 400],
        [{ path: '/a b' }, 400],
        [{ path: '/x?u=http://y' }, 200],
        [{ path: 'http://y/x' }, 400],
        [{ payload: '' }, 400],
        [{ method: 'GET', payload: '' }, 200],
        [{ method: 'GET', payload: '{' }, 400],
      ] as const)
        assert.equal(await status(post, of(more)), expected, JSON.stringify(more));
    }));

  it('rings what is in its file manager, and nothing else (2.6a)', () =>
    schedule(async (post) => {
      assert.equal(await status(post, { ...bell, audio: 'nope.wav' }), 400);
      const { evid } = (await post({ events: [bell] })).json.events[0];
      assert.equal(await status(post, { evid, audio: 'nope.wav' }), 400);
      assert.equal(await status(post, { evid, audio: 'gong.wav' }), 200);
    }));
});
