import assert from 'node:assert/strict';
import { withDevice } from '../with-device';
import { bell, calendar, call, day, get, nested, post } from './bells';

describe('the virtual device: the scheduler (section 4.13)', () => {
  it('creates an event and answers with all of it and its id', () =>
    withDevice({}, async (fixture) => {
      const { events } = await post(fixture, { events: [bell] });
      const stored = { evid: 1, ...bell, enabled: 1, auto_remove: 0, duration: 3, greyed_out_date: '' };
      assert.deepEqual(events, [stored]);
      assert.deepEqual(await get(fixture), { format: 'v2.0', groups: [], events: [stored] });
    }));

  it('updates only what is given, by evid and actid, wherever it lives', () =>
    withDevice({}, async (fixture) => {
      await post(fixture, { groups: [{ ...day, events: [nested, call] }] });
      await post(fixture, {
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
      const { groups, events } = (await get(fixture)) as {
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

  it('creates again what has an id that nobody has', () =>
    withDevice({}, async (fixture) => {
      const { events } = (await post(fixture, { events: [{ ...bell, evid: 77 }] })) as {
        events: { evid: number }[];
      };
      assert.equal(events[0]?.evid, 1);
      const bare = await fixture.sendJson('POST /api/schedules', { events: [{ evid: 77, name: 'x' }] });
      assert.match(bare.text, /events\[0\]\.event_type is missing/);
    }));

  it('lists a range of days', () =>
    withDevice({}, async (fixture) => {
      await post(fixture, { events: [bell, { ...bell, name: 'Early', start_time: '07:30' }], groups: [day] });
      assert.deepEqual(await get(fixture, '?events=2020-09-29&days=2'), {
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
      assert.deepEqual(Object.keys((await get(fixture, '?events=')).events ?? {}), ['2020-09-28']);
    }));

  it('refuses other queries', () =>
    withDevice({}, async ({ sendJson }) => {
      for (const query of [
        '?days=1',
        '?events=today',
        '?events=2020-09-28&days=0',
        '?events=2020-02-30',
        '?from=1',
      ])
        assert.equal((await sendJson(`GET /api/schedules${query}`)).status, 400, query);
    }));

  it('skips and excludes, and takes both back', () =>
    withDevice({}, async (fixture) => {
      await post(fixture, { events: [bell] });
      const at = { evid: 1, date: '2020-09-29' };
      assert.deepEqual(await post(fixture, { skip: [at] }), { skip: [at] });
      assert.deepEqual(await calendar(fixture, '2020-09-29'), ['Bell skipped']);
      assert.deepEqual(await calendar(fixture, '2020-09-28'), ['Bell']);
      const { events } = (await get(fixture)) as { events: Record<string, unknown>[] };
      assert.equal(events[0]?.greyed_out_date, '2020-09-29');
      const instance = {
        evid: 1,
        color: '#ff0000',
        name: 'Bell',
        start_time: '08:00',
        skipped: 0,
        recurrent: 1,
      };
      assert.deepEqual(await post(fixture, { remove_skip: [at] }), {
        remove_skip: [{ ...at, affected_events: [instance] }],
      });
      assert.deepEqual(await calendar(fixture, '2020-09-29'), ['Bell']);
      await post(fixture, { exclude: [{ evid: 1, exdate: '2020-09-29' }] });
      assert.deepEqual(await calendar(fixture, '2020-09-29'), []);
      await post(fixture, { remove_exclude: [at] });
      assert.deepEqual(await calendar(fixture, '2020-09-29'), ['Bell']);
    }));

  it('acts on a whole day, a group and a tag', () =>
    withDevice({}, async (fixture) => {
      await post(fixture, {
        events: [bell, { ...bell, name: 'Wednesdays', rrule: 'FREQ=WEEKLY;BYDAY=WE' }],
        groups: [day],
      });
      const skipped = await post(fixture, { skip: [{ evid: -1, date: '2020-09-29' }] });
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
      await post(fixture, { remove_skip: [{ groupid: 1, date: '2020-09-29' }] });
      assert.deepEqual(await calendar(fixture, '2020-09-29'), ['Bell skipped', 'Break']);
      await post(fixture, { exclude: [{ tag: 'breaks', exdate: '2020-09-29' }] });
      assert.deepEqual(await calendar(fixture, '2020-09-29'), ['Bell skipped']);
    }));

  it('deletes by evid, actid, tag and groupid, a group with all that is in it', () =>
    withDevice({}, async (fixture) => {
      await post(fixture, { events: [bell, call, { ...bell, tag: 'old' }], groups: [day] });
      assert.deepEqual(
        await post(fixture, { delete: [{ evid: 2 }, { actid: 1 }, { tag: 'old' }, { groupid: 1 }] }),
        {
          delete: [{ evid: 2 }, { actid: 1 }, { tag: 'old' }, { groupid: 1 }],
        },
      );
      const { events, groups } = (await get(fixture)) as {
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
    withDevice({}, async (fixture) => {
      await post(fixture, { events: [bell] });
      const echo = await post(fixture, {
        events: [{ ...bell, name: 'New' }],
        delete: [{ evid: 1 }],
        remove_skip: [{ evid: 1, date: '2020-09-29' }],
        skip: [{ evid: 1, date: '2020-09-29' }],
      });
      assert.deepEqual(Object.keys(echo), ['skip', 'remove_skip', 'delete', 'events']);
      assert.deepEqual(await calendar(fixture, '2020-09-29'), ['New']);
    }));

  it('rolls everything back when one operation fails', () =>
    withDevice({}, async (fixture) => {
      await post(fixture, { events: [bell] });
      const before = await get(fixture);
      const reply = await fixture.sendJson('POST /api/schedules', {
        skip: [{ evid: 1, date: '2020-09-29' }],
        events: [bell, { ...bell, name: undefined }],
      });
      assert.equal(reply.status, 400);
      assert.match(reply.text, /events\[1\]\.name is missing/);
      assert.deepEqual(await get(fixture), before);
      const { events } = (await post(fixture, { events: [bell] })) as { events: { evid: number }[] };
      assert.equal(events[0]?.evid, 2);
    }));
});
