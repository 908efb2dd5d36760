import assert from 'node:assert/strict';
import { type Day, dateOf } from '../../src/bells/calendar';
import { readDatabase } from '../../src/bells/database';
import { DeviceCalendar } from '../../src/bells/device-calendar';
import { predictCalendar } from '../../src/bells/predict-calendar';
import { Expansion } from '../../src/bells/preview';
import type { Turn } from '../../src/client/client';
import { SchedulerSession } from '../../src/runtime/bells/scheduler-session';
import type { DeliveryContext } from '../../src/runtime/message/hooks';
import { wordingIn } from '../fixtures/wording';
import { dayOn } from './calendar-text';

const first = dayOn('2030-01-01');
const mebibyte = 1024 * 1024;

type Days = Record<string, unknown>;

const instance = (evid: number, more: object = {}) => ({
  ...{ evid, color: '#abcdef', name: `Lesson ${evid} with a name`, start_time: '08:00:00', skipped: 0 },
  ...more,
});
const listOf = (count: number, one: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => one(index));

describe('the calendar of a device', () => {
  const added = (days: unknown, from: Day | undefined = first, count = 2) => {
    const calendar = new DeviceCalendar();
    const refusal = calendar.add({ format: 'v2.0', events: days }, from, count);
    return { refusal: refusal && String(refusal), days: calendar.days };
  };

  it('has the days that were asked, and no others', () => {
    const { days, refusal } = added({
      '2029-12-31': [instance(1)],
      '2030-01-01': [instance(2)],
      '2030-01-03': [instance(3)],
      __proto__: [instance(4)],
    });
    assert.equal(refusal, undefined);
    assert.deepEqual(days, { '2030-01-01': [instance(2)] });
  });

  it('has the first days where today is a day of the device', () => {
    const day = (date: string) => ({ [date]: [] });
    const given = { ...day('2030-01-02'), ...day('2030-01-03'), ...day('2030-01-01'), ...day('words') };
    assert.deepEqual(Object.keys(added(given, undefined).days), ['2030-01-01', '2030-01-02']);
  });

  it('has no entries that are no objects', () => {
    assert.deepEqual(added({ '2030-01-01': [0, null, 'a', [], instance(1)] }).days, {
      '2030-01-01': [instance(1)],
    });
  });

  it('is unreadable as a list, and where a day is no list', () => {
    for (const days of [[], [instance(1)], 'a', undefined, { '2030-01-01': {} }, { '2030-01-02': 'a' }]) {
      assert.match(added(days).refusal ?? '', wordingIn('reasons:calendarUnreadable'), JSON.stringify(days));
    }
  });

  const tooLarge = wordingIn('reasons:calendarTooLarge', { count: 200_000, size: '48 MiB' });

  it('has at most 200,000 entries, in all responses together', () => {
    const calendar = new DeviceCalendar();
    const entries = new Array(20_000).fill({});
    const add = (index: number, list: unknown[]) =>
      calendar.add({ events: { [dateOf(first + index)]: list } }, first + index, 1);
    for (let index = 0; index < 10; index += 1) assert.equal(add(index, entries), undefined);
    assert.match(String(add(10, [{}])), tooLarge);
  });

  const heavy: readonly [name: string, entry: object][] = [
    ['texts', { name: 'x'.repeat(mebibyte) }],
    ['names', Object.fromEntries(listOf(30_000, (index) => [`name ${String(index).padStart(9)}`, 0]) as [])],
    ['lists', { name: [new Array(mebibyte / 16).fill([])] }],
    ['objects', { name: new Array(mebibyte / 16).fill({}) }],
  ];
  for (const [name, entry] of heavy) {
    it(`is limited in size, for ${name}`, () => {
      assert.equal(added({ '2030-01-01': new Array(20).fill(entry) }).refusal, undefined);
      assert.match(added({ '2030-01-01': new Array(60).fill(entry) }).refusal ?? '', tooLarge);
    });
  }

  /** @param answered number of entries on each day that the device answers */
  async function read(count: number, perDay: number, answered: number) {
    let asked = 0;
    const call = async (_: unknown, { events, days }: { events: string; days: number }) => {
      asked += 1;
      const list = listOf(answered, instance);
      const body: Days = {};
      for (let day = 0; day < days; day += 1) body[dateOf(dayOn(events) + day)] = list;
      return { statusCode: 200, body: { format: 'v2.0', events: body }, attempts: 1 };
    };
    const delivery = { operationName: 'scheduler/preview', device: { name: 'Bells' } };
    const session = new SchedulerSession(
      delivery as unknown as DeliveryContext,
      { call } as unknown as Turn,
      {},
    );
    const calendar = await session.range(first, count, perDay).catch((error: unknown) => error);
    return { asked, calendar };
  }

  it('is read in six requests for 300 bells on each day of a year', async () => {
    const { asked, calendar } = await read(366, 300, 300);
    assert.equal(asked, 6);
    assert.equal(Object.values(calendar as Record<string, unknown[]>).flat().length, 300 * 366);
  });

  it('is read no further where it is too large', async () => {
    const { asked, calendar } = await read(366, 20_000, 20_000);
    assert.equal(asked, 11);
    assert.ok(calendar instanceof Error && 'code' in calendar, String(calendar));
    assert.equal(calendar.code, 'PROTOCOL');
    assert.match(calendar.message, tooLarge);
  });

  it('is put in order where a time is no text', async () => {
    const database = { groups: [], events: [] };
    const plan = { created: [], updated: [], deleted: [], unchanged: 0, findings: [], scheduled: [] };
    const odd = instance(1, { start_time: { toString: 0 } });
    const shown = { [dateOf(first)]: [instance(2), odd] };
    const { events } = await predictCalendar(database, plan, 't', shown, first, 1);
    assert.deepEqual(events[dateOf(first)], [odd, instance(2)]);
  });
});

describe('the schedule of a device', () => {
  const events = (count: number) => new Array(count).fill({});

  it('has at most 20,000 events, with those of groups', () => {
    const read = (alone: number, grouped: number) =>
      readDatabase({ events: events(alone), groups: [{ events: events(grouped) }] });
    assert.ok('events' in read(10_000, 10_000));
    assert.match(String(read(10_000, 10_001)), wordingIn('reasons:scheduleTooLarge', { count: 20_000 }));
  });

  it('has no event or group with an endless text', () => {
    const most = 64 * 1024;
    for (const name of [
      'name',
      'tag',
      'start_date',
      'start_time',
      'rrule',
      'rdate',
      'exdate',
      'greyed_out_date',
    ]) {
      const long = { [name]: ','.repeat(most + 1) };
      const fits = { [name]: ','.repeat(most) };
      assert.ok('events' in readDatabase({ events: [fits], groups: [{ ...fits, events: [fits] }] }), name);
      const refused = wordingIn('reasons:scheduleTextTooLong', { name, count: most });
      assert.match(String(readDatabase({ events: [long] })), refused);
      assert.match(String(readDatabase({ events: [], groups: [long] })), refused);
      assert.match(String(readDatabase({ events: [], groups: [{ events: [long] }] })), refused);
    }
  });

  it('is split into dates once for all events of a group', async () => {
    const dates = new Array(50).fill('2030-01-05').join();
    const group = { fields: { start_date: '2030-01-01', rrule: '', rdate: dates }, events: [] };
    const expansion = new Expansion(first, first + 9);
    const { split } = String.prototype;
    let splits = 0;
    String.prototype.split = function (this: string, ...given: unknown[]) {
      if (String(this) === dates) splits += 1;
      return Reflect.apply(split, this, given);
    } as typeof split;
    try {
      for (let evid = 0; evid < 20; evid += 1) {
        const days = await expansion.of({ event: { evid }, group });
        assert.deepEqual(days.map(dateOf), ['2030-01-01', '2030-01-05']);
      }
    } finally {
      String.prototype.split = split;
    }
    assert.equal(splits, 1);
  });
});
