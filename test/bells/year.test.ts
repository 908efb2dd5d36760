import assert from 'node:assert/strict';
import { School } from './school';
import { bellsOfTheYear, calendarOfTheYear, expectedYear } from './year';

const first = '2029-08-27';
const maxDays = 366;
const days = 400;

describe("a school's year", () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  async function year(): Promise<Record<string, string[]>> {
    const second = new Date(Date.parse(`${first}T12:00:00Z`) + maxDays * 86_400_000)
      .toISOString()
      .slice(0, 10);
    return {
      ...(await school.calendar(first, maxDays)),
      ...(await school.calendar(second, days - maxDays)),
    };
  }

  /** Which of two bells in the same minute comes first is not ours to say. */
  const sorted = (calendar: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(calendar).map(([date, list]) => [date, [...list].sort()]));

  it('is set up by one message, matches what stands on paper, and is not sent twice', async () => {
    const bells = bellsOfTheYear();
    const answer = await school.answer('sync', { tag: 'year', bells });
    assert.equal((answer.created as unknown[]).length, 44);
    assert.equal(school.writes.length, 1);
    const expected = expectedYear(first, days);
    assert.ok(Object.values(expected).flat().length > 700);
    assert.deepEqual(sorted(await year()), sorted(expected));
    assert.equal((await school.answer('sync', { tag: 'year', bells })).unchanged, 44);
    assert.equal(school.writes.length, 1);
  });

  it('comes from a calendar file as well', async () => {
    const given = { ics: calendarOfTheYear(), as: 'bells', tag: 'year', audio: 'bell-na.wav', from: first };
    const answer = await school.answer('import', given);
    assert.deepEqual(answer.notImported, []);
    assert.equal(school.writes.length, 1);
    assert.deepEqual(sorted(await year()), sorted(expectedYear(first, days)));
    const again = await school.answer('import', given);
    assert.deepEqual([again.created, again.updated, again.deleted], [[], [], []]);
    assert.equal(school.writes.length, 1);
  });

  it('goes out as a calendar file and comes back the same', async () => {
    await school.answer('sync', { tag: 'year', bells: bellsOfTheYear() });
    await school.answer('skip', { dates: '2029-09-10' });
    const before = sorted(await year());
    const ics = (await school.answer('export', { from: first, days })) as unknown as string;
    await school.answer('sync', { tag: 'year', bells: [] });
    await school.answer('import', { ics, as: 'bells', tag: 'year', audio: 'bell-na.wav', from: first });
    assert.deepEqual(sorted(await year()), { ...before, '2029-09-10': [] });
  });
});
