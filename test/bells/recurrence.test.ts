import assert from 'node:assert/strict';
import { dateOf, dayOf } from '../../src/bells/calendar';
import { daysOf } from '../../src/bells/recurrence';
import { readRule } from '../../src/bells/rule';
import { LocalizedMessage } from '../../src/catalogue/localized-message';
import { Slices } from '../../src/kernel/time/slices';
import { lookUntil, recurrences } from '../fixtures/recurrences';

/** The dates of a rule, by the package. */
async function dates(start: string, text: string, end: string): Promise<string[]> {
  const rule = readRule(text);
  assert.ok(!(rule instanceof LocalizedMessage), String(rule));
  const found: string[] = [];
  const [from, to] = [dayOf(start) ?? assert.fail(), dayOf(end) ?? assert.fail()];
  for await (const day of daysOf(from, rule, to, new Slices())) found.push(dateOf(day));
  return found;
}

/** Rules that a device need not know. */
const others: typeof recurrences = [
  ['the 45th Sunday of the year', '2026-01-01', 'FREQ=YEARLY;BYDAY=45SU', '2026-11-08 2027-11-07 2028-11-05'],
  ['Thanksgiving', '2026-11-01', 'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '2026-11-26 2027-11-25'],
  [
    'the last working day of the month',
    '2026-01-01',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    '2026-01-30 2026-02-27 2026-03-31',
  ],
  [
    'positions among days that are named from both ends of the month',
    '2026-01-01',
    'FREQ=MONTHLY;BYMONTHDAY=-31,31;BYSETPOS=-2',
    '2026-01-01 2026-03-01 2026-05-01',
  ],
];

describe('recurrence', () => {
  for (const [title, start, rule, expected] of [...recurrences, ...others]) {
    it(title, async () =>
      assert.equal((await dates(start, rule, lookUntil(rule, expected))).join(' '), expected),
    );
  }

  it('does not look for ever for what never comes', async () => {
    for (const rule of [
      'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=YEARLY;INTERVAL=2;BYDAY=53SU;COUNT=9',
    ]) {
      assert.ok((await dates('2026-09-07', rule, '2030-01-01')).length < 2, rule);
    }
  });

  it('does not look for ever for what is in no month or no year of its intervals', async () => {
    for (const [start, rule] of [
      ['2027-02-01', 'FREQ=MONTHLY;INTERVAL=24;BYDAY=5MO'],
      ['2026-02-28', 'FREQ=MONTHLY;INTERVAL=1200;BYDAY=-5SA'],
      ['2026-02-01', 'FREQ=MONTHLY;INTERVAL=12;BYDAY=9MO'],
      ['2026-02-01', 'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31'],
      ['2026-02-01', 'FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=6MO'],
      ['2027-01-01', 'FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29'],
    ] as const) {
      assert.deepEqual(await dates(start, rule, '2100-01-01'), [], rule);
    }
  });

  it('leaves out what was long ago, and goes on in step with its interval', async () => {
    const to = dayOf('2030-09-30') ?? assert.fail();
    for (const rule of [
      'FREQ=DAILY;INTERVAL=3',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU',
      'FREQ=MONTHLY;INTERVAL=8;BYDAY=1MO',
      'FREQ=YEARLY;INTERVAL=5;BYMONTH=9',
    ]) {
      const read = readRule(rule);
      assert.ok(!(read instanceof LocalizedMessage));
      const daysFrom = async (from: string, slices: Slices) => {
        const days: string[] = [];
        const start = dayOf('0030-01-01') ?? assert.fail();
        for await (const day of daysOf(start, read, to, slices, dayOf(from))) days.push(dateOf(day));
        return days.filter((date) => date >= '2030-09-01');
      };
      const all = await daysFrom('0030-01-01', new Slices());
      assert.ok(all.length > 0, rule);
      const few = new Slices(60);
      assert.deepEqual(await daysFrom('2030-09-01', few), all, rule);
      assert.equal(few.isUsedUp, false, rule);
    }
  });

  for (const rule of [
    'FREQ=HOURLY',
    'INTERVAL=2',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=YEARLY;BYYEARDAY=100',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO',
    'FREQ=WEEKLY;BYDAY=2MO',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=YEARLY;BYDAY=MO,TU;BYSETPOS=1',
    'FREQ=WEEKLY;constructor=1',
  ]) {
    it(`says that it cannot say ${rule}`, () => assert.ok(readRule(rule) instanceof LocalizedMessage));
  }
});
