import assert from 'node:assert/strict';
import { type Bench, withDevice } from './bench';

/** The device's clock stands at Monday 2020-09-28, 17:07:18. */
const bell = {
  event_type: 'play_tone',
  name: 'Bell',
  audio: 'bell-na.wav',
  start_date: '2020-09-28',
  start_time: '08:00',
  rrule: 'FREQ=WEEKLY;BYDAY=MO,TU',
  color: '#ff0000',
};
const call = {
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
const nested = {
  event_type: 'play_tone',
  name: 'Break',
  audio: 'chime.wav',
  start_time: '10:00',
  tag: 'breaks',
};
const day = {
  name: 'School day',
  color: '#00ff00',
  start_date: '2020-09-28',
  rrule: 'FREQ=DAILY',
  events: [nested],
};

async function post({ tell }: Bench, body: object): Promise<Record<string, unknown>> {
  const reply = await tell('POST /api/schedules', body);
  assert.equal(reply.status, 200, reply.text);
  return JSON.parse(reply.text);
}

async function get({ tell }: Bench, query = ''): Promise<Record<string, unknown>> {
  const reply = await tell(`GET /api/schedules${query}`);
  assert.equal(reply.status, 200, reply.text);
  return JSON.parse(reply.text);
}

/** Names and flags of a day's instances. */
async function calendar(bench: Bench, date: string): Promise<string[]> {
  const { events } = (await get(bench, `?events=${date}`)) as {
    events: Record<string, { name: string; skipped: number }[]>;
  };
  return (events[date] ?? []).map(({ name, skipped }) => (skipped ? `${name} skipped` : name));
}

describe('the virtual device: the scheduler (section 4.13)', () => {
  it('begins empty', () =>
    withDevice({}, async (bench) => {
      assert.deepEqual(await get(bench), { format: 'v2.0', groups: [], events: [] });
    }));

  it('creates an event and answers with all of it and its id', () =>
    withDevice({}, async (bench) => {
      const { events } = await post(bench, { events: [bell] });
      const stored = { evid: 1, ...bell, enabled: 1, auto_remove: 0, duration: 3, greyed_out_date: '' };
      assert.deepEqual(events, [stored]);
      assert.deepEqual(await get(bench), { format: 'v2.0', groups: [], events: [stored] });
    }));

  it('gives ids to api calls, and a color to what has none', () =>
    withDevice({ model: '8305' }, async (bench) => {
      const { events } = (await post(bench, { events: [call] })) as { events: Record<string, unknown>[] };
      const entries = events[0]?.api_call as { actid: number }[];
      assert.deepEqual(
        entries.map(({ actid }) => actid),
        [1, 2],
      );
      assert.match(String(events[0]?.color), /^#[0-9a-f]{6}$/);
    }));

  it('updates only what is given, by evid and actid, wherever it lives', () =>
    withDevice({}, async (bench) => {
      await post(bench, { groups: [{ ...day, events: [nested, call] }] });
      await post(bench, {
        events: [
          {
            evid: 2,
            name: 'Renamed',
            api_call: [
              { actid: 2, path: '/y' },
              { method: 'DELETE', target: 'a', path: '/z', header: '' },
            ],
          },
        ],
      });
      const { groups, events } = (await get(bench)) as {
        groups: { events: Record<string, unknown>[] }[];
        events: unknown[];
      };
      assert.deepEqual(events, []);
      assert.equal(groups[0]?.events[0]?.name, 'Break');
      assert.equal(groups[0]?.events[1]?.name, 'Renamed');
      assert.equal(groups[0]?.events[1]?.start_time, '09:00:30');
      assert.deepEqual(groups[0]?.events[1]?.api_call, [
        { actid: 1, ...call.api_call[0] },
        { actid: 2, ...call.api_call[1], path: '/y' },
        { actid: 3, method: 'DELETE', target: 'a', path: '/z', header: '' },
      ]);
    }));

  it('takes back what it gave, less what it works out itself', () =>
    withDevice({}, async (bench) => {
      await post(bench, { events: [bell, call], groups: [day] });
      const before = await get(bench);
      const { format: _, ...again } = before;
      await post(bench, again);
      assert.deepEqual(await get(bench), before);
    }));

  it('creates anew what has an id that nobody has', () =>
    withDevice({}, async (bench) => {
      const { events } = (await post(bench, { events: [{ ...bell, evid: 77 }] })) as {
        events: { evid: number }[];
      };
      assert.equal(events[0]?.evid, 1);
      const bare = await bench.tell('POST /api/schedules', { events: [{ evid: 77, name: 'x' }] });
      assert.match(bare.text, /events\[0\]\.event_type is missing/);
    }));

  it('lists a range of days', () =>
    withDevice({}, async (bench) => {
      await post(bench, { events: [bell, { ...bell, name: 'Early', start_time: '07:30' }], groups: [day] });
      assert.deepEqual(await get(bench, '?events=2020-09-29&days=2'), {
        format: 'v2.0',
        events: {
          '2020-09-29': [
            { evid: 3, color: '#ff0000', name: 'Early', start_time: '07:30', skipped: 0 },
            { evid: 2, color: '#ff0000', name: 'Bell', start_time: '08:00', skipped: 0 },
            { evid: 1, color: '#9e3779', name: 'Break', start_time: '10:00', skipped: 0 },
          ],
          '2020-09-30': [{ evid: 1, color: '#9e3779', name: 'Break', start_time: '10:00', skipped: 0 }],
        },
      });
      assert.deepEqual(Object.keys((await get(bench, '?events=')).events ?? {}), ['2020-09-28']);
    }));

  it('refuses other queries', () =>
    withDevice({}, async ({ tell }) => {
      for (const query of [
        '?days=1',
        '?events=today',
        '?events=2020-09-28&days=0',
        '?events=2020-02-30',
        '?from=1',
      ])
        assert.equal((await tell(`GET /api/schedules${query}`)).status, 400, query);
    }));

  it('skips and excludes, and takes both back', () =>
    withDevice({}, async (bench) => {
      await post(bench, { events: [bell] });
      const at = { evid: 1, date: '2020-09-29' };
      assert.deepEqual(await post(bench, { skip: [at] }), { skip: [at] });
      assert.deepEqual(await calendar(bench, '2020-09-29'), ['Bell skipped']);
      assert.deepEqual(await calendar(bench, '2020-09-28'), ['Bell']);
      const { events } = (await get(bench)) as { events: Record<string, unknown>[] };
      assert.equal(events[0]?.greyed_out_date, '2020-09-29');
      const instance = {
        evid: 1,
        color: '#ff0000',
        name: 'Bell',
        start_time: '08:00',
        skipped: 0,
        recurrent: 1,
      };
      assert.deepEqual(await post(bench, { remove_skip: [at] }), {
        remove_skip: [{ ...at, affected_events: [instance] }],
      });
      assert.deepEqual(await calendar(bench, '2020-09-29'), ['Bell']);
      await post(bench, { exclude: [{ evid: 1, exdate: '2020-09-29' }] });
      assert.deepEqual(await calendar(bench, '2020-09-29'), []);
      await post(bench, { remove_exclude: [at] });
      assert.deepEqual(await calendar(bench, '2020-09-29'), ['Bell']);
    }));

  it('acts on a whole day, a group and a tag', () =>
    withDevice({}, async (bench) => {
      await post(bench, {
        events: [bell, { ...bell, name: 'Wednesdays', rrule: 'FREQ=WEEKLY;BYDAY=WE' }],
        groups: [day],
      });
      const skipped = await post(bench, { skip: [{ evid: -1, date: '2020-09-29' }] });
      assert.deepEqual(skipped, {
        skip: [
          {
            evid: -1,
            date: '2020-09-29',
            affected_events: [
              { evid: 2, color: '#ff0000', name: 'Bell', start_time: '08:00', skipped: 1, recurrent: 1 },
              {
                evid: 1,
                color: '#9e3779',
                name: 'Break',
                start_time: '10:00',
                skipped: 1,
                recurrent: 1,
                group: 'School day',
                group_color: '#00ff00',
                groupid: 1,
              },
            ],
          },
        ],
      });
      await post(bench, { remove_skip: [{ groupid: 1, date: '2020-09-29' }] });
      assert.deepEqual(await calendar(bench, '2020-09-29'), ['Bell skipped', 'Break']);
      await post(bench, { exclude: [{ tag: 'breaks', exdate: '2020-09-29' }] });
      assert.deepEqual(await calendar(bench, '2020-09-29'), ['Bell skipped']);
    }));

  it('deletes by evid, actid, tag and groupid, a group with all that is in it', () =>
    withDevice({}, async (bench) => {
      await post(bench, { events: [bell, call, { ...bell, tag: 'old' }], groups: [day] });
      assert.deepEqual(
        await post(bench, { delete: [{ evid: 2 }, { actid: 1 }, { tag: 'old' }, { groupid: 1 }] }),
        {
          delete: [{ evid: 2 }, { actid: 1 }, { tag: 'old' }, { groupid: 1 }],
        },
      );
      const { events, groups } = (await get(bench)) as {
        events: { evid: number; api_call: unknown[] }[];
        groups: unknown[];
      };
      assert.deepEqual(groups, []);
      assert.deepEqual(
        events.map(({ evid, api_call }) => [evid, api_call.length]),
        [[3, 1]],
      );
    }));

  it('carries out in its own order, not in the written one', () =>
    withDevice({}, async (bench) => {
      await post(bench, { events: [bell] });
      const echo = await post(bench, {
        events: [{ ...bell, name: 'New' }],
        delete: [{ evid: 1 }],
        remove_skip: [{ evid: 1, date: '2020-09-29' }],
        skip: [{ evid: 1, date: '2020-09-29' }],
      });
      assert.deepEqual(Object.keys(echo), ['skip', 'remove_skip', 'delete', 'events']);
      assert.deepEqual(await calendar(bench, '2020-09-29'), ['New']);
    }));

  it('rolls everything back when one operation fails', () =>
    withDevice({}, async (bench) => {
      await post(bench, { events: [bell] });
      const before = await get(bench);
      const reply = await bench.tell('POST /api/schedules', {
        skip: [{ evid: 1, date: '2020-09-29' }],
        events: [bell, { ...bell, name: undefined }],
      });
      assert.equal(reply.status, 400);
      assert.match(reply.text, /events\[1\]\.name is missing/);
      assert.deepEqual(await get(bench), before);
      const { events } = (await post(bench, { events: [bell] })) as { events: { evid: number }[] };
      assert.equal(events[0]?.evid, 2);
    }));

  it('accepts what the document leaves optional or ignores', () =>
    withDevice({}, async (bench) => {
      const { api_call: _, ...plain } = call;
      await post(bench, {
        events: [
          {
            ...bell,
            enabled: true,
            auto_remove: 1,
            dtmf: 1,
            zone: 2,
            mgroup: 25,
            tag: 't',
            rdate: '2020-12-24',
            exdate: '2020-12-25,2020-12-26',
            api_call: [1],
          },
          { ...plain, event_type: 'sip_call', dtmf: 5 },
          {
            event_type: 'stream_audio',
            name: 'Radio',
            start_date: '2020-09-28',
            start_time: '12:00:00',
            rrule: '',
          },
          { ...call, duration: 60 },
        ],
        groups: [{ name: 'No color', start_date: '2020-09-28', rrule: '', rdate: '2020-12-24', events: [] }],
      });
    }));

  const noAudio: Partial<typeof bell> = { ...bell };
  delete noAudio.audio;
  const wrong: readonly [string, object, RegExp][] = [
    ['nothing', {}, /no operation/],
    ['the format', { format: 'v2.0', events: [] }, /format is not known/],
    ['an unknown field', { events: [{ ...bell, volume: 1 }] }, /events\[0\]\.volume is not known/],
    ['an event without its tone', { events: [noAudio] }, /events\[0\]\.audio is missing/],
    [
      'a call without its extension',
      { events: [{ ...bell, event_type: 'sip_call' }] },
      /extension is missing/,
    ],
    ['an unknown type', { events: [{ ...bell, event_type: 'bell' }] }, /event_type must be/],
    ['a date that does not exist', { events: [{ ...bell, start_date: '2021-02-29' }] }, /start_date/],
    ['a time that does not exist', { events: [{ ...bell, start_time: '24:00' }] }, /start_time/],
    ['a rule with a blank', { events: [{ ...bell, rrule: 'FREQ=DAILY; COUNT=1' }] }, /whitespace/],
    ['a color by name', { events: [{ ...bell, color: 'red' }] }, /color/],
    ['enabled in words', { events: [{ ...bell, enabled: 'yes' }] }, /enabled/],
    ['a generated field', { events: [{ ...bell, duration: 3 }] }, /works it out/],
    ['greyed_out_date', { events: [{ ...bell, greyed_out_date: '' }] }, /works it out/],
    ['mgroup 26', { events: [{ ...bell, mgroup: 26 }] }, /mgroup/],
    ['a delay with a start', { events: [{ ...bell, delay: 10 }] }, /delay must not come with/],
    ['an api_call without entries', { events: [{ ...call, api_call: [] }] }, /api_call is empty/],
    ['six api calls', { events: [{ ...call, api_call: Array(6).fill(call.api_call[1]) }] }, /at most 5/],
    [
      'an api call without a target',
      { events: [{ ...call, api_call: [{ method: 'GET', path: '/', header: '' }] }] },
      /api_call\[0\]\.target is missing/,
    ],
    [
      'a POST without a payload',
      { events: [{ ...call, api_call: [{ ...call.api_call[1], method: 'POST' }] }] },
      /payload is missing/,
    ],
    [
      'a payload that is no JSON',
      { events: [{ ...call, api_call: [{ ...call.api_call[0], payload: '{' }] }] },
      /payload must be a JSON/,
    ],
    [
      'a path with its host',
      { events: [{ ...call, api_call: [{ ...call.api_call[1], path: 'http://a/b' }] }] },
      /path/,
    ],
    [
      'a group without events',
      { groups: [{ name: 'g', start_date: '2020-09-28', rrule: '' }] },
      /groups\[0\]\.events is missing/,
    ],
    [
      'a wrong nested event',
      { groups: [{ ...day, events: [{ ...nested, start_time: 'noon' }] }] },
      /groups\[0\]\.events\[0\]\.start_time/,
    ],
    [
      'a nested event without its time',
      { groups: [{ ...day, events: [{ event_type: 'play_tone', name: 'n', audio: 'a' }] }] },
      /start_time is missing/,
    ],
    ['deleting everything', { delete: [{ evid: -1 }] }, /-1 cannot be deleted/],
    ['deleting what is not there', { delete: [{ evid: 9 }] }, /nothing has "evid":9/],
    ['deleting two things in one', { delete: [{ evid: 1, groupid: 1 }] }, /exactly one/],
    ['skipping by exdate', { skip: [{ evid: 1, exdate: '2020-09-28' }] }, /exdate is not known/],
    ['excluding without a date', { exclude: [{ evid: 1 }] }, /exdate is missing/],
  ];
  it('refuses with the reason and changes nothing', () =>
    withDevice({}, async (bench) => {
      for (const [what, body, reason] of wrong) {
        const reply = await bench.tell('POST /api/schedules', body);
        assert.equal(reply.status, 400, what);
        assert.match(JSON.parse(reply.text).error, reason, what);
      }
      assert.deepEqual(await get(bench), { format: 'v2.0', groups: [], events: [] });
    }));

  it('is on the 8301 and 8305 from 5.7 on, streams on the 8301 only', async () => {
    for (const options of [{ model: '8186' }, { firmware: '5.6' }])
      await withDevice(options, async ({ tell }) => {
        assert.equal((await tell('GET /api/schedules')).status, 404);
      });
    await withDevice({ model: '8305' }, async ({ tell }) => {
      const reply = await tell('POST /api/schedules', { events: [{ ...bell, event_type: 'stream_audio' }] });
      assert.match(reply.text, /8301 only/);
    });
  });
});

describe('the virtual device: scheduled events', () => {
  it('happen at their time, are announced in the status, and are not at once when skipped', () =>
    withDevice({}, async (bench) => {
      const { clock, device, tell } = bench;
      await post(bench, { events: [{ ...bell, rrule: 'FREQ=DAILY', start_time: '18:00' }] });
      const next = async () => JSON.parse((await tell('GET /api/info/status')).text)['Next Scheduled Event'];
      assert.equal(await next(), 'Bell, 2020-09-28, 18:00, bell-na.wav');
      clock.advance((52 * 60 + 41) * 1000 + 999);
      assert.equal(device.state.tone, null);
      clock.advance(1);
      assert.deepEqual(device.state.tone, { path: 'bell-na.wav', loop: false });
      assert.deepEqual(device.state.lastEvent, { evid: 1, name: 'Bell', at: '2020-09-28T18:00:00.000Z' });
      await post(bench, { skip: [{ evid: 1, date: '2020-09-29' }] });
      clock.advance(25 * 3_600_000);
      assert.equal(device.state.lastEvent?.at, '2020-09-28T18:00:00.000Z');
      clock.advance(24 * 3_600_000);
      assert.equal(device.state.lastEvent?.at, '2020-09-30T18:00:00.000Z');
    }));

  it('happen after their delay, once, and go when they are to', () =>
    withDevice({}, async (bench) => {
      const delayed = {
        event_type: 'sip_call',
        name: 'Soon',
        audio: 'gong.wav',
        extension: 7,
        delay: 10,
        auto_remove: true,
      };
      const { events } = (await post(bench, { events: [delayed] })) as { events: Record<string, unknown>[] };
      assert.equal(events[0]?.start_time, '17:07:28');
      bench.clock.advance(10_000);
      assert.deepEqual(bench.device.state.call, { extension: '7', tone: 'gong.wav' });
      assert.deepEqual(await get(bench), { format: 'v2.0', groups: [], events: [] });
    }));

  it('are found however far they are away', () =>
    withDevice({}, async (bench) => {
      await post(bench, { events: [{ ...bell, start_date: '2020-12-24', rrule: '' }] });
      bench.clock.advance(90 * 86_400_000);
      assert.equal(bench.device.state.lastEvent?.at, '2020-12-24T08:00:00.000Z');
    }));

  it('are still there after a reboot', () =>
    withDevice({ rebootMs: 0 }, async (bench) => {
      await post(bench, { events: [{ ...bell, rrule: '', start_time: '18:00' }] });
      await bench.tell('POST /api/controls/reboot');
      assert.equal(((await get(bench)).events as unknown[]).length, 1);
      bench.clock.advance(3_600_000);
      assert.equal(bench.device.state.lastEvent?.name, 'Bell');
    }));
});
