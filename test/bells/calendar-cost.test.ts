import assert from 'node:assert/strict';
import { allEntries, entriesOf } from '../../src/bells/calendar-file/entries';
import { importBells } from '../../src/bells/calendar-file/import-bells';
import { importDays } from '../../src/bells/calendar-file/import-days';
import { maxSteps, occurrencesOf } from '../../src/bells/calendar-file/series';
import { Slices } from '../../src/kernel/time/slices';
import { wordingIn } from '../fixtures/wording';
import { bells, calendar, dayOn } from './calendar-text';
import { School } from './school';

const times = (count: number, lines: (place: number) => string[]) =>
  calendar(...Array.from({ length: count }, (_, place) => lines(place)));

const daily = (place: number) => [
  `UID:${place}`,
  `SUMMARY:Bell ${place}`,
  'DTSTART:20260907T080000',
  'RRULE:FREQ=DAILY;UNTIL=20270907T080000',
];

/** Rules that name few days or none, each of which is looked for among very many. */
const searches = [
  'RRULE:FREQ=DAILY;COUNT=99999;BYMONTH=2;BYMONTHDAY=30',
  'RRULE:FREQ=DAILY;COUNT=99999;BYMONTH=2;BYMONTHDAY=29',
  `RRULE:FREQ=YEARLY;COUNT=99999;BYDAY=${new Array(300).fill('MO').join()}`,
  `RRULE:FREQ=YEARLY;COUNT=99999;BYMONTHDAY=${new Array(300).fill('1').join()}`,
  `RRULE:FREQ=MONTHLY;COUNT=99999;BYMONTHDAY=${new Array(300).fill('31').join()}`,
  `RRULE:FREQ=MONTHLY;COUNT=99999;BYDAY=${new Array(300).fill('5MO').join()}`,
];

/** How many steps the days of all entries take until a date. */
async function stepsOf(ics: string, until: string): Promise<number> {
  const slices = new Slices(Number.MAX_SAFE_INTEGER);
  let taken = 0;
  const take = slices.take.bind(slices);
  slices.take = (steps) => {
    taken += steps;
    return take(steps);
  };
  const { entries } = await entriesOf(ics, slices, dayOn('2026-09-01'));
  for (const series of entries) await occurrencesOf(series, dayOn(until), slices);
  return taken;
}

describe('what a calendar file costs', () => {
  const today = dayOn('2026-09-01');

  it('is a step for each day of each entry', async () => {
    const [one, ten] = [
      await stepsOf(times(1, daily), '2027-08-31'),
      await stepsOf(times(10, daily), '2027-08-31'),
    ];
    assert.ok(one >= 359 && one <= 370, `${one} steps`);
    assert.equal(ten, 10 * one);
  });

  for (const rule of searches) {
    it(`is limited, and nothing is made of it beyond: ${rule.slice(0, 60)}`, async () => {
      const ics = times(2, (place) => [`UID:${place}`, 'DTSTART:19260907T080000', rule]);
      const until = today + 400;
      assert.ok(
        await importDays(ics, { from: today, until }, today, allEntries, new Slices(Number.MAX_SAFE_INTEGER)),
      );
      assert.equal(
        await importDays(ics, { from: today, until }, today, allEntries, new Slices(20_000)),
        undefined,
      );
    });
  }

  it('is limited where each entry is a usual one', async () => {
    const ics = times(20, daily);
    const within = (steps: number) =>
      importBells(ics, 'bell-na.wav', {}, today, allEntries, new Slices(steps));
    assert.equal((await within(20 * 370))?.bells.length, 20);
    assert.equal(await within(19 * 360), undefined);
  });

  it('is limited where each entry takes a year', async () => {
    const ics = times(20, () => ['DTSTART;VALUE=DATE:20260907', 'DTEND;VALUE=DATE:20270907']);
    const within = (steps: number) =>
      importDays(ics, { from: today, until: today + 400 }, today, allEntries, new Slices(steps));
    assert.equal((await within(20 * 370))?.days.size, 365);
    assert.equal(await within(19 * 360), undefined);
  });

  it('is far below the limit for all a school has', async () => {
    const steps = 100 * (await stepsOf(times(20, daily), '2027-08-31'));
    assert.ok(steps < maxSteps / 2, `${steps} steps for two thousand bells`);
  });

  const series = (uid: string, count: number) =>
    Array.from({ length: count }, (_, place) => [
      `UID:${uid}`,
      `SUMMARY:Series ${place}`,
      'DTSTART:20260907T080000',
      'RRULE:FREQ=DAILY;COUNT=9',
    ]);
  const change = (uid: string, day: string) => [
    `UID:${uid}`,
    'SUMMARY:Change',
    `DTSTART:202609${day}T090000`,
    `RECURRENCE-ID:202609${day}T080000`,
  ];

  it('is not all series times all changes, where one UID has very many of both', async () => {
    const { given, notImported } = await bells(calendar(...series('same', 21), change('same', '09')));
    assert.deepEqual(
      given.map(({ name }) => name),
      ['Change'],
    );
    assert.equal(notImported.length, 21);
    assert.match(String(notImported[0]?.reason), wordingIn('reasons:manyOfUid'));
  });

  it('leaves series alone that share a UID and are not changed, and a calendar that is there twice', async () => {
    const { given: many } = await bells(calendar(...series('same', 50), change('other', '09')));
    assert.equal(many.length, 51);
    const twice = [...series('same', 2), change('same', '09'), change('same', '09')];
    const { given } = await bells(calendar(...twice));
    assert.deepEqual(
      given.map(({ except }) => except),
      [['2026-09-09'], ['2026-09-09'], undefined, undefined],
    );
  });

  it('is told where it is too much, and nothing is sent', async () => {
    const school = await School.open();
    try {
      const before = school.writes.length;
      // Few entries take very many steps: each day of a thousand years is examined, and none is meant.
      const rule = `RRULE:FREQ=DAILY;COUNT=99999;BYMONTH=2;BYMONTHDAY=${new Array(300).fill('30').join()}`;
      const ics = times(20, (place) => [`UID:${place}`, 'DTSTART:10000907T080000', rule]);
      const { caught } = await school.ask('import', { ics, as: 'skip' });
      assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
      assert.match(caught[0]?.error?.message ?? '', wordingIn('reasons:icsTooMuch'));
      assert.equal(school.writes.length, before);
    } finally {
      await school.close();
    }
  });
});
