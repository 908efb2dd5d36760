import assert from 'node:assert/strict';
import { withDevice } from '../with-device';
import { bell, get, post } from './bells';

describe('the virtual device: scheduled events', () => {
  it('happen at their time, are announced in the status, and are not at once when skipped', () =>
    withDevice({}, async (fixture) => {
      const { clock, device, sendJson } = fixture;
      await post(fixture, { events: [{ ...bell, rrule: 'FREQ=DAILY', start_time: '18:00' }] });
      const next = async () =>
        JSON.parse((await sendJson('GET /api/info/status')).text)['Next Scheduled Event'];
      assert.equal(await next(), 'Bell, 2020-09-28, 18:00, bell-na.wav');
      clock.advance((52 * 60 + 41) * 1000 + 999);
      assert.equal(device.state.tone, null);
      clock.advance(1);
      assert.deepEqual(device.state.tone, { path: 'bell-na.wav', loop: false });
      assert.deepEqual(device.state.lastEvent, { evid: 1, name: 'Bell', at: '2020-09-28T18:00:00.000Z' });
      await post(fixture, { skip: [{ evid: 1, date: '2020-09-29' }] });
      clock.advance(25 * 3_600_000);
      assert.equal(device.state.lastEvent?.at, '2020-09-28T18:00:00.000Z');
      clock.advance(24 * 3_600_000);
      assert.equal(device.state.lastEvent?.at, '2020-09-30T18:00:00.000Z');
    }));

  it('stream for a while, which the status says, and are named with their action before', () =>
    withDevice({}, async ({ clock, sendJson }) => {
      const { audio: _, ...stream } = {
        ...bell,
        event_type: 'stream_audio',
        name: 'Radio',
        start_time: '17:08',
      };
      assert.equal((await sendJson('POST /api/schedules', { events: [stream] })).status, 200);
      const status = async () => JSON.parse((await sendJson('GET /api/info/status')).text);
      assert.equal((await status())['Next Scheduled Action'], 'Radio, Stream Audio, 2020-09-28, 17:08');
      clock.advance(42_000);
      assert.equal((await status())['Current Action'], 'Streaming Audio');
      clock.advance(60_000);
      assert.equal((await status())['Current Action'], 'None');
    }));

  it('happen after their delay, once, and go when they are to', () =>
    withDevice({}, async (fixture) => {
      const delayed = {
        event_type: 'sip_call',
        name: 'Soon',
        audio: 'gong.wav',
        extension: 7,
        rrule: '',
        delay: 10,
        auto_remove: true,
      };
      const { events } = (await post(fixture, { events: [delayed] })) as {
        events: Record<string, unknown>[];
      };
      assert.equal(events[0]?.start_time, '17:07:28');
      fixture.clock.advance(10_000);
      assert.deepEqual(fixture.device.state.call, { extension: '7', tone: 'gong.wav' });
      assert.deepEqual(await get(fixture), { format: 'v2.0', groups: [], events: [] });
    }));

  it('happen not before their delay, also where a second has nearly passed', () =>
    withDevice({}, async (fixture) => {
      const { start_date: _, start_time: __, ...undated } = bell;
      fixture.clock.advance(999);
      await post(fixture, { events: [{ ...undated, rrule: '', delay: 1 }] });
      fixture.clock.advance(1000);
      assert.equal(fixture.device.state.lastEvent?.name, undefined);
      fixture.clock.advance(1);
      assert.equal(fixture.device.state.lastEvent?.at, '2020-09-28T17:07:20.000Z');
    }));

  it('are found however far they are away', () =>
    withDevice({}, async (fixture) => {
      await post(fixture, { events: [{ ...bell, start_date: '2020-12-24', rrule: '' }] });
      fixture.clock.advance(90 * 86_400_000);
      assert.equal(fixture.device.state.lastEvent?.at, '2020-12-24T08:00:00.000Z');
    }));

  it('are still there after a reboot', () =>
    withDevice({ rebootMs: 0 }, async (fixture) => {
      await post(fixture, { events: [{ ...bell, rrule: '', start_time: '18:00' }] });
      await fixture.sendJson('POST /api/controls/reboot');
      assert.equal(((await get(fixture)).events as unknown[]).length, 1);
      fixture.clock.advance(3_600_000);
      assert.equal(fixture.device.state.lastEvent?.name, 'Bell');
    }));

  it('may be thousands, and as old as the epoch: each question is still answered', () =>
    withDevice({}, async (fixture) => {
      const old = { ...bell, start_date: '1970-01-01', rrule: 'FREQ=DAILY' };
      const times = Array.from({ length: 2500 }, (_, index) => `18:${String(index % 60).padStart(2, '0')}`);
      await post(fixture, { events: times.map((start_time) => ({ ...old, start_time })) });
      for (let asked = 0; asked < 20; asked += 1) {
        const status = JSON.parse((await fixture.sendJson('GET /api/info/status')).text);
        assert.equal(status['Next Scheduled Event'], 'Bell, 2020-09-28, 18:00, bell-na.wav');
        assert.equal(fixture.device.snapshot().today.length, 2500);
      }
      await post(fixture, { skip: [{ evid: -1, date: '2020-09-28' }] });
      assert.equal(fixture.device.snapshot().next?.at, Date.UTC(2020, 8, 29, 18));
    }));
});
