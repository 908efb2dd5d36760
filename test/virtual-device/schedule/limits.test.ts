import assert from 'node:assert/strict';
import { type DeviceFixture, withDevice } from '../with-device';
import { bell, get, nested, post } from './bells';

const daily = { ...bell, rrule: 'FREQ=DAILY' };
const bells = (count: number) => Array.from({ length: count }, () => daily);
const group = (count: number) => ({ name: 'G', start_date: '2020-09-28', rrule: '', events: bells(count) });

async function refusal({ sendJson }: DeviceFixture, body: object): Promise<string> {
  const { status, text } = await sendJson('POST /api/schedules', body);
  assert.equal(status, 400, text.slice(0, 200));
  return JSON.parse(text).error;
}

describe('the virtual device: limits of the scheduler', () => {
  it('stores no more events and groups than it can go through', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const inRequest = 'a request must have at most 2500 events, not 2501';
      assert.equal(await refusal(fixture, { events: bells(2501) }), inRequest);
      assert.equal(await refusal(fixture, { events: bells(1000), groups: [group(1501)] }), inRequest);
      await post(fixture, { events: bells(1500) });
      assert.match(await refusal(fixture, { events: bells(1001) }), /stores at most 2500 events, not 2501/);
      await post(fixture, { events: bells(1000) });
      const empty = { ...group(0), events: [] };
      assert.match(await refusal(fixture, { groups: Array(501).fill(empty) }), /at most 500 entries/);
      await post(fixture, { groups: Array(500).fill(empty) });
      assert.match(await refusal(fixture, { groups: [empty] }), /stores at most 500 groups, not 501/);
      assert.equal(((await get(fixture)).groups as unknown[]).length, 500);
    }));

  it('stores no more rules whose days it must count than it can count, of events and of groups', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const counted = { ...bell, rrule: 'FREQ=MONTHLY;BYDAY=5SA;COUNT=9' };
      const groups = Array.from({ length: 100 }, () => ({
        ...group(0),
        events: [nested],
        rrule: 'COUNT=2;FREQ=YEARLY',
      }));
      await post(fixture, { events: Array(200).fill(counted), groups });
      assert.match(
        await refusal(fixture, { events: [counted] }),
        /at most 300 monthly or yearly rules with COUNT/,
      );
      await post(fixture, { events: [daily, { ...bell, rrule: 'FREQ=WEEKLY;COUNT=9' }] });
    }));

  it('answers a year of 300 events, and refuses a year of 600', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      await post(fixture, { events: bells(300) });
      const { events } = (await get(fixture, '?events=2021-01-01&days=366')) as {
        events: Record<string, unknown[]>;
      };
      const counts = Object.values(events).map(({ length }) => length);
      assert.deepEqual([counts.length, Math.min(...counts), Math.max(...counts)], [366, 300, 300]);
      await post(fixture, { events: bells(300) });
      const { status, text } = await fixture.sendJson('GET /api/schedules?events=2021-01-01&days=366');
      assert.deepEqual([status, /200000 instances of events; ask for fewer days/.test(text)], [400, true]);
      const days = Array.from({ length: 334 }, (_, index) => ({
        evid: -1,
        date: new Date(Date.UTC(2021, 0, 1 + index)).toISOString().slice(0, 10),
      }));
      // The device looks at 600 events for each of these days, and each of the events is affected.
      assert.match(await refusal(fixture, { skip: days }), /more than 200000 instances of events; nothing/);
    }));

  it('carries out a repeated entry once, and answers each entry, but not without end', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      await post(fixture, { events: bells(300), groups: [{ ...group(0), events: [nested] }] });
      const entry = { evid: -1, date: '2020-09-29' };
      const { skip } = (await post(fixture, { skip: Array(3).fill(entry) })) as {
        skip: { affected_events: { skipped: number }[] }[];
      };
      assert.deepEqual(
        skip.map(({ affected_events }) => affected_events.filter(({ skipped }) => skipped).length),
        [300, 300, 300],
      );
      const tooLong = /answer would have more than 16777216 bytes; nothing was changed/;
      const other = { evid: -1, date: '2020-09-30' };
      assert.match(await refusal(fixture, { skip: Array(10_000).fill(other) }), tooLong);
      const { events } = (await get(fixture, '?events=2020-09-30')) as {
        events: Record<string, { skipped: number }[]>;
      };
      assert.ok(events['2020-09-30']?.every(({ skipped }) => skipped === 0));
      const renamed = { evid: 2, name: 'x'.repeat(1_000_000) };
      const updates = Array(20).fill({ evid: 2 });
      assert.match(await refusal(fixture, { events: [renamed, ...updates] }), tooLong);
      await post(fixture, { events: [renamed] });
      const range = await fixture.sendJson('GET /api/schedules?events=2020-10-01&days=60');
      assert.deepEqual([range.status, /16777216 bytes; ask for fewer/.test(range.text)], [400, true]);
    }));

  it('stores no schedule that a client could not read', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const long = { ...daily, name: 'x'.repeat(2_200_000) };
      await post(fixture, { events: [long] });
      assert.match(await refusal(fixture, { events: [long] }), /stores at most 4194304 bytes of schedules/);
      assert.equal(((await get(fixture)).events as unknown[]).length, 1);
    }));

  it('limits the lists inside texts before it splits them', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      const dates = (count: number) => Array(count).fill('2021-01-02').join(',');
      await post(fixture, { events: [{ ...daily, rdate: dates(10_000), exdate: dates(10_000) }] });
      const wrong: readonly [object, RegExp][] = [
        [{ rdate: dates(10_001) }, /^events\[0\]\.rdate must have at most 10000 dates$/],
        [{ exdate: ','.repeat(4_000_000) }, /^events\[0\]\.exdate must have at most 10000 dates$/],
        [{ rdate: ','.repeat(100_000) }, /^events\[0\]\.rdate must be a date .*; and 990 more$/],
        [
          { rrule: `FREQ=WEEKLY;BYDAY=${Array(200).fill('MO').join(',')}` },
          /^events\[0\]\.rrule must have at most 500 characters$/,
        ],
        [{ rrule: `${'A=1;'.repeat(900_000)}` }, /^events\[0\]\.rrule must have at most 500 characters$/],
      ];
      for (const [fields, reason] of wrong)
        assert.match(await refusal(fixture, { events: [{ ...daily, ...fields }] }), reason);
      const entry = { tag: 'x'.repeat(100_000), date: '2021-01-02' };
      assert.ok((await refusal(fixture, { skip: [entry] })).length < 200);
    }));

  it('stores no more dates of one event than a text holds', () =>
    withDevice({ auth: 'none' }, async (fixture) => {
      await post(fixture, { events: [daily] });
      const days = (count: number, first: number) =>
        Array.from({ length: count }, (_, index) => ({
          evid: 1,
          date: new Date(Date.UTC(2021, 0, first + index)).toISOString().slice(0, 10),
        }));
      await post(fixture, { skip: days(10_000, 1) });
      assert.match(await refusal(fixture, { skip: days(1, 10_001) }), /at most 10000 skipped or excluded/);
      await post(fixture, { skip: days(1, 10_000), remove_skip: days(1, 1) });
    }));
});
