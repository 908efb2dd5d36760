import assert from 'node:assert/strict';
import type { DeviceFixture } from '../with-device';

/** The device's clock stands at Monday 2020-09-28, 17:07:18. */
export const bell = {
  event_type: 'play_tone',
  name: 'Bell',
  audio: 'bell-na.wav',
  start_date: '2020-09-28',
  start_time: '08:00',
  rrule: 'FREQ=WEEKLY;BYDAY=MO,TU',
  color: '#ff0000',
};
export const call = {
  event_type: 'api_call',
  name: 'Call',
  audio: 'gong.wav',
  extension: 200,
  start_date: '2020-09-28',
  start_time: '09:00:30',
  rrule: '',
  api_call: [
    {
      method: 'POST',
      target: '192.0.2.9',
      path: '/api/controls/reboot',
      header: '%DEVICE_HEADERS%',
      payload: '{}',
    },
    { method: 'GET', target: '192.0.2.9', path: '/x', header: '' },
  ],
};
export const nested = {
  event_type: 'play_tone',
  name: 'Break',
  audio: 'chime.wav',
  start_time: '10:00',
  tag: 'breaks',
};
export const day = {
  name: 'School day',
  color: '#00ff00',
  start_date: '2020-09-28',
  rrule: 'FREQ=DAILY',
  events: [nested],
};

export async function post({ sendJson }: DeviceFixture, body: object): Promise<Record<string, unknown>> {
  const reply = await sendJson('POST /api/schedules', body);
  assert.equal(reply.status, 200, reply.text);
  return JSON.parse(reply.text);
}

export async function get({ sendJson }: DeviceFixture, query = ''): Promise<Record<string, unknown>> {
  const reply = await sendJson(`GET /api/schedules${query}`);
  assert.equal(reply.status, 200, reply.text);
  return JSON.parse(reply.text);
}

/** Names and flags of a day's instances. */
export async function calendar(fixture: DeviceFixture, date: string): Promise<string[]> {
  const { events } = (await get(fixture, `?events=${date}`)) as {
    events: Record<string, { name: string; skipped: number }[]>;
  };
  return (events[date] ?? []).map(({ name, skipped }) => (skipped ? `${name} skipped` : name));
}
