import assert from 'node:assert/strict';
import { type Day, dateOf, dayOf, daysIn, wholeTime } from '../../src/bells/calendar';
import { type Database, placesIn, readDatabase, textOf } from '../../src/bells/database';
import { Expansion, type Instance, instanceOf } from '../../src/bells/preview';
import { VirtualDevice } from '../../src/virtual-device/device';
import { Chance } from '../catalogue/random';
import { send } from '../contract/wire';
import { firstDay, randomSchedule } from './schedules';
import { School } from './school';

/** Fewer while something is tried: `ALGO_SCHEDULES=50 npm test`. */
const schedules = Number(process.env.ALGO_SCHEDULES ?? 500);
const days = 400;
const maxDays = 366;

/** What rings on so many days by a database, as a preview works it out; in the device's order. */
async function previewOf(database: Database, from: Day, count: number): Promise<object> {
  const expansion = new Expansion(from, from + count - 1);
  const timeOf = ({ event }: { event: Readonly<Record<string, unknown>> }) =>
    wholeTime(textOf(event, 'start_time'));
  const places = placesIn(database).sort((a, b) =>
    timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b)),
  );
  const events = new Map<Day, Instance[]>();
  for (let day = from; day < from + count; day += 1) events.set(day, []);
  for (const place of places) {
    const skipped = new Set(daysIn(place.event.greyed_out_date));
    for (const day of await expansion.of(place)) {
      events.get(day)?.push(instanceOf(place.event, skipped.has(day)));
    }
  }
  return Object.fromEntries([...events].map(([day, instances]) => [dateOf(day), instances]));
}

describe('the preview of a database', () => {
  let device: VirtualDevice;
  let url: string;

  before(async () => {
    device = new VirtualDevice({ model: '8301', firmware: '5.7', auth: 'none' });
    url = await device.start();
  });
  after(() => device.stop());

  async function json(
    line: `GET /${string}` | `POST /${string}`,
    body?: object,
  ): Promise<Record<string, unknown>> {
    const reply = await send(url, { line, ...(body && { json: body }), signature: 'absent' });
    assert.equal(reply.status, 200, reply.body.toString());
    return JSON.parse(reply.body.toString());
  }

  it(`is what the device itself says, for ${schedules} random schedules and ${days} days`, async () => {
    const start = dayOf(firstDay) ?? assert.fail();
    for (let seed = 1; seed <= schedules; seed += 1) {
      const schedule = randomSchedule(new Chance(seed));
      const { events = [], groups = [] } = (await json('POST /api/schedules', schedule)) as {
        events?: { evid: number }[];
        groups?: { groupid: number }[];
      };
      const database = readDatabase(await json('GET /api/schedules'));
      assert.ok('events' in database, String(database));
      const preview = await previewOf(database, start, days);
      const first = await json(`GET /api/schedules?events=${firstDay}&days=${maxDays}`);
      const secondDay = new Date((start + maxDays) * 86_400_000).toISOString().slice(0, 10);
      const second = await json(`GET /api/schedules?events=${secondDay}&days=${days - maxDays}`);
      const expected = { ...(first.events as object), ...(second.events as object) };
      assert.deepEqual(preview, expected, `seed ${seed}: ${JSON.stringify(schedule)}`);
      const all = [...events.map(({ evid }) => ({ evid })), ...groups.map(({ groupid }) => ({ groupid }))];
      await json('POST /api/schedules', { delete: all });
    }
  });
});

describe('a preview with bells', () => {
  const rounds = 60;
  const [from, looked] = ['2030-08-01', 366];

  /** Bells of few names and times, so that they are matched in every way. */
  function randomBells(chance: Chance): object[] {
    const day = () => dateOf((dayOf('2030-08-20') ?? 0) + Math.floor(chance.next() * 120));
    return Array.from({ length: 1 + Math.floor(chance.next() * 6) }, () => ({
      name: chance.one(['A', 'B']),
      time: chance.one(['08:00', '08:00:30', '09:15']),
      days: chance.one(['daily', 'mon-fri', 'sat,sun', 'fri-mon', 'once']),
      audio: chance.one(['bell-na.wav', 'gong.wav']),
      ...(chance.percent(80) && { from: day() }),
      ...(chance.percent(40) && { until: '2031-03-01' }),
      ...(chance.percent(50) && { except: [day(), { start: '2030-10-01', end: '2030-10-08' }] }),
      ...(chance.percent(20) && { enabled: chance.percent(50) }),
    }));
  }

  const inShort = (calendar: unknown) =>
    Object.entries(calendar as Record<string, Instance[]>).map(([date, instances]) => {
      const rung = instances.map(
        ({ name, start_time, skipped }) => `${wholeTime(String(start_time))} ${name} ${skipped}`,
      );
      return [date, ...rung.sort()].join(', ');
    });

  it(`is what the device says after they were made so, ${rounds} times, and then there is nothing left to do`, async () => {
    const school = await School.open();
    const chance = new Chance(7);
    let compared = 0;
    try {
      for (let round = 0; round < rounds; round += 1) {
        await school.ask('sync', { tag: 't', bells: randomBells(chance) });
        await school.ask('skip', { dates: ['2030-10-15', '2030-11-20'], tag: 't' });
        const given = { tag: 't', bells: randomBells(chance) };
        const [preview] = (await school.ask('preview', { ...given, from, days: looked })).sent;
        // Bells that never ring are refused.
        if (!preview) continue;
        const story = `round ${round}: ${JSON.stringify(given.bells)}`;
        await school.answer('sync', given);
        const { events } = await school.answer('range', { events: from, days: looked });
        assert.deepEqual(inShort((preview.payload as { events: unknown }).events), inShort(events), story);
        const { created, updated, deleted } = await school.answer('sync', given);
        assert.deepEqual([created, updated, deleted], [[], [], []], story);
        compared += 1;
      }
      assert.ok(compared > rounds / 2, `${compared} were compared`);
    } finally {
      await school.close();
    }
  });
});
