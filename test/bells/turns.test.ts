import assert from 'node:assert/strict';
import { readBells } from '../../src/bells/bell';
import { type Day, dateOf } from '../../src/bells/calendar';
import { isMarked } from '../../src/bells/marks';
import { planOf } from '../../src/bells/plan';
import { predictCalendar } from '../../src/bells/predict-calendar';
import { silent } from '../../src/bells/unverified-days';
import { warningsOf } from '../../src/bells/warnings';
import { Slices } from '../../src/kernel/time/slices';
import { dayOn } from './calendar-text';

const today = dayOn('2030-01-01');
const isOver = Object.getOwnPropertyDescriptor(Slices.prototype, 'isOver') as PropertyDescriptor;

/** How much is done in one turn of the event loop at most, told by whoever does it. */
class Turns {
  maxWork = 0;
  #now = 0;
  #isWatched = true;

  constructor() {
    const next = () => {
      this.#now = 0;
      if (this.#isWatched) setImmediate(next);
    };
    setImmediate(next);
  }

  readonly count = (): void => {
    this.#now += 1;
    this.maxWork = Math.max(this.maxWork, this.#now);
  };

  end(): void {
    this.#isWatched = false;
  }
}

/** A record that tells how often one of its fields is looked at. */
function watched<Fields extends object>(fields: Fields, name: string, look: () => void): Fields {
  const value: unknown = Object(fields)[name];
  return Object.defineProperty({ ...fields }, name, {
    enumerable: true,
    get: () => {
      look();
      return value;
    },
  });
}

describe('one turn of the event loop, where each slice of the work is over at once', () => {
  let turns: Turns;

  beforeEach(() => {
    Object.defineProperty(Slices.prototype, 'isOver', { configurable: true, get: () => true });
    turns = new Turns();
  });

  afterEach(() => {
    turns.end();
    Object.defineProperty(Slices.prototype, 'isOver', isOver);
  });

  const bells = async (count: number, more: (index: number) => object) => {
    const given = Array.from({ length: count }, (_, index) => ({
      ...{ name: 'Bell', time: '08:00', days: 'daily', audio: 'bell.wav', from: '2030-01-01' },
      ...more(index),
    }));
    const read = await readBells(given);
    assert.deepEqual(read.findings, []);
    return read.bells;
  };

  it('compares a bell with one of those that have its name and time', async () => {
    const wanted = await bells(20, (index) => ({ audio: `${index}.wav` }));
    const { post } = await planOf({ groups: [], events: [] }, 'tag', wanted, today);
    const events = (post?.events ?? []).map((event, evid) =>
      watched({ ...event, evid, audio: 'other.wav' }, 'audio', turns.count),
    );
    const plan = await planOf({ groups: [], events }, 'tag', wanted, today);
    assert.deepEqual([plan.updated.length, plan.unchanged], [20, 0]);
    assert.ok(turns.maxWork <= 2, `${turns.maxWork} in one turn`);
  });

  it('asks one bell of a minute whether it rings on a day, and puts into words what is read', async () => {
    const wanted = await bells(50, (index) => ({ name: `Bell ${index}` }));
    const { scheduled: rung } = await planOf({ groups: [], events: [] }, 'tag', wanted, today);
    let named = 0;
    const those = rung.map((one) => ({
      ...one,
      bell: watched(one.bell, 'place', () => {
        named += 1;
      }),
      occurrence: watched(one.occurrence, 'ringsOn', turns.count),
    }));
    const warnings = await warningsOf(those, { day: today, seconds: 0 }, ['other.wav']);
    assert.equal(warnings.length, 21);
    assert.ok(turns.maxWork <= 2, `${turns.maxWork} in one turn`);
    assert.ok(named <= 20, `${named} were named`);
  });

  it('looks at the calendar of one day', async () => {
    const [events, days] = [50, 20];
    const wanted = await bells(events, (index) => ({ name: `Bell ${index}` }));
    const { post } = await planOf({ groups: [], events: [] }, 'tag', wanted, today);
    const there = (post?.events ?? []).map((event, evid) => ({ ...event, evid, audio: 'other.wav' }));
    const plan = await planOf({ groups: [], events: there }, 'tag', wanted, today);
    const instance = (evid: number) =>
      watched({ evid, color: '', name: '', start_time: '08:00:00', skipped: 0 }, 'evid', turns.count);
    const calendar = Object.fromEntries(
      Array.from({ length: days }, (_, index): [string, ReturnType<typeof instance>[]] => {
        const day: Day = today + index;
        return [dateOf(day), there.map(({ evid }) => instance(evid))];
      }),
    );
    await predictCalendar({ groups: [], events: there }, plan, 'tag', calendar, today, days);
    assert.ok(turns.maxWork <= events, `${turns.maxWork} in one turn`);
  });

  it('looks at the calendar once, for however many bells and events', async () => {
    const [events, entries] = [30, 40];
    let looks = 0;
    const look = () => {
      looks += 1;
    };
    const instances = Array.from({ length: entries }, (_, evid) =>
      watched({ evid, color: '', name: '', start_time: '08:00:00', skipped: 0 }, 'evid', look),
    );
    const calendar = { [dateOf(today)]: instances };
    const wanted = await bells(events, (index) => ({ name: `Bell ${index}` }));
    const days = [today];
    assert.deepEqual(
      silent(
        wanted.map((bell, evid) => ({ bell, evid, days })),
        calendar,
      ),
      [],
    );
    assert.equal(looks, entries);
    looks = 0;
    const { post } = await planOf({ groups: [], events: [] }, 'tag', wanted, today);
    const there = (post?.events ?? []).map((event, evid) => ({ ...event, evid: evid + entries }));
    const database = { groups: [], events: there };
    assert.equal(await isMarked('unexclude', days, {}, database, calendar), false);
    const shown = { groups: [], events: there.map((event, evid) => ({ ...event, evid })) };
    assert.equal(await isMarked('unexclude', days, {}, shown, calendar), true);
    assert.equal(looks, 2 * entries);
  });
});
