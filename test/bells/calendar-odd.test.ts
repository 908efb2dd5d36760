import assert from 'node:assert/strict';
import { wordingIn } from '../fixtures/wording';
import { bells, calendar, holidays } from './calendar-text';
import { School } from './school';

const zones = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland', 'Europe/Berlin'];
const inAutumn = (ics: string, zone = 'Europe/Berlin') => holidays(ics, zone, '2026-09-01', '2026-12-31');
const weekly = (...lines: string[]) =>
  calendar(['UID:1', 'SUMMARY:Free', 'DTSTART;VALUE=DATE:20260907', 'RRULE:FREQ=WEEKLY;COUNT=4', ...lines]);

describe('a calendar as people get it: whole days', () => {
  for (const [title, line] of [
    ['as a date', 'EXDATE;VALUE=DATE:20260914'],
    ['as a date without saying so', 'EXDATE:20260914'],
    ['with a local time', 'EXDATE:20260914T000000'],
    ['with a zone', 'EXDATE;TZID=Europe/Berlin:20260914T000000'],
    ['with a zone and a time', 'EXDATE;TZID=Asia/Tokyo:20260914T090000'],
    ['with midnight in UTC', 'EXDATE:20260914T000000Z'],
  ] as const) {
    it(`leave out an exception ${title}, in every zone`, async () => {
      for (const zone of zones) {
        const { days } = await inAutumn(weekly(line), zone);
        assert.deepEqual(days, ['2026-09-07', '2026-09-21', '2026-09-28'], zone);
      }
    });
  }

  it('take another time in UTC for the local day', async () => {
    // Midnight in Berlin is ten in the evening before, in UTC.
    const { days } = await inAutumn(weekly('EXDATE:20260913T220000Z'));
    assert.deepEqual(days, ['2026-09-07', '2026-09-21', '2026-09-28']);
  });

  it('have their additional and their changed days as written', async () => {
    const changed = ['UID:1', 'SUMMARY:Moved', 'DTSTART;VALUE=DATE:20260916'];
    for (const zone of zones) {
      const ics = calendar(
        ['UID:1', 'SUMMARY:Free', 'DTSTART;VALUE=DATE:20260907', 'RRULE:FREQ=WEEKLY;COUNT=3'],
        [...changed, 'RECURRENCE-ID;TZID=Europe/Berlin:20260914T000000'],
        ['SUMMARY:More', 'DTSTART;VALUE=DATE:20261001', 'RDATE;TZID=Europe/Berlin:20261005T000000'],
      );
      const { names } = await inAutumn(ics, zone);
      assert.deepEqual(
        names,
        ['2026-09-07 Free', '2026-09-16 Moved', '2026-09-21 Free', '2026-10-01 More', '2026-10-05 More'],
        zone,
      );
    }
  });
});

describe('a calendar as people get it: series', () => {
  it('have one occurrence for a change, also where it repeats the rule of the series', async () => {
    const rule = ['RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20270701T000000Z', 'EXDATE:20260922T080000'];
    const { given } = await bells(
      calendar(
        ['UID:1', 'SUMMARY:Tuesday', 'DTSTART:20260901T080000', ...rule],
        ['UID:1', 'SUMMARY:Late', 'DTSTART:20260908T100000', 'RECURRENCE-ID:20260908T080000', ...rule],
      ),
    );
    assert.deepEqual(
      given.map(({ name, time, days, except }) => [name, time, days, except]),
      [
        ['Tuesday', '08:00', 'tue', ['2026-09-08', '2026-09-22']],
        ['Late', '10:00', 'once', undefined],
      ],
    );
  });

  it('count in their latest version only', async () => {
    const version = (name: string, ...lines: string[]) => [
      'UID:1',
      `SUMMARY:${name}`,
      'DTSTART:20260907T080000',
      ...lines,
    ];
    const of = async (...entries: string[][]) =>
      (await bells(calendar(...entries))).given.map(({ name }) => name);
    const stamped = (name: string, stamp: string, ...more: string[]) =>
      version(name, `DTSTAMP:${stamp}`, ...more);
    assert.deepEqual(await of(version('New', 'SEQUENCE:10'), version('Old', 'SEQUENCE:9')), ['New']);
    assert.deepEqual(
      await of(
        stamped('Old', '20260901T000000Z', 'LAST-MODIFIED:20260801T000000Z'),
        stamped('New', '20260101T000000Z', 'LAST-MODIFIED:20260802T000000Z'),
      ),
      ['New'],
    );
    assert.deepEqual(await of(stamped('New', '20260902T000000Z'), stamped('Old', '20260901T000000Z')), [
      'New',
    ]);
    const change = (name: string, sequence: number) => [
      ...['UID:1', `SUMMARY:${name}`, 'DTSTART:20260914T090000', `SEQUENCE:${sequence}`],
      'RECURRENCE-ID:20260914T080000',
    ];
    const series = version('Series', 'RRULE:FREQ=WEEKLY', 'SEQUENCE:3');
    assert.deepEqual(await of(series, change('Old', 1), change('New', 2)), ['Series', 'New']);
    // Neither is later, and an entry without a UID is no version of another one.
    assert.deepEqual(await of(version('One'), version('Two')), ['One', 'Two']);
    const nameless = (name: string, sequence: number) => version(name, `SEQUENCE:${sequence}`).slice(1);
    assert.deepEqual(await of(nameless('One', 1), nameless('Two', 2)), ['One', 'Two']);
  });

  it('begin on their start, also where the rule does not name it', async () => {
    const start = ['DTSTART;VALUE=DATE:20260902', 'SUMMARY:Free'];
    const { days } = await inAutumn(calendar([...start, 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3']));
    assert.deepEqual(days, ['2026-09-02', '2026-09-07', '2026-09-14']);
    const without = calendar([...start, 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3', 'EXDATE:20260902']);
    assert.deepEqual((await inAutumn(without)).days, ['2026-09-07', '2026-09-14']);
    const { given } = await bells(
      calendar(['SUMMARY:Bell', 'DTSTART:20260902T080000', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3']),
    );
    assert.deepEqual(
      given.map(({ from, until, rrule, rdate }) => ({ from, until, rrule, rdate })),
      [
        {
          ...{ from: '2026-09-02', until: '2026-09-14', rdate: ['2026-09-02'] },
          rrule: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20260914',
        },
      ],
    );
  });

  for (const [title, rule, expected] of [
    [
      'a week that begins on Sunday and has none',
      'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,FR',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR',
    ],
    ['the last Friday by its position', 'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ['two positions', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1,3', 'FREQ=MONTHLY;BYDAY=1MO,3MO'],
    ['blanks in a list', 'FREQ=WEEKLY; BYDAY=MO, TU', 'mon,tue'],
    ['an empty rule', '', 'once'],
  ] as const) {
    it(`are read with ${title}`, async () => {
      const start = rule.includes('FR;') ? '20260925' : '20260907';
      const { given, notImported } = await bells(
        calendar(['SUMMARY:Bell', `DTSTART:${start}T080000`, `RRULE:${rule}`, 'RDATE:', 'EXDATE:']),
      );
      assert.deepEqual(notImported, []);
      assert.deepEqual(
        given.map(({ days, rrule }) => rrule ?? days),
        [expected],
      );
    });
  }

  it('are refused where the beginning of the week changes a day', async () => {
    const { notImported } = await bells(
      calendar(['DTSTART:20260907T080000', 'RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SU']),
    );
    assert.match(String(notImported[0]?.reason), wordingIn('reasons:weekBegins', { day: 'SU' }));
  });

  it('count from yesterday to two years ahead', async () => {
    const at = (name: string, date: string, ...lines: string[]) => [
      `SUMMARY:${name}`,
      `DTSTART:${date}T080000`,
      ...lines,
    ];
    const { given, notImported } = await bells(
      calendar(
        at('Over', '20260830'),
        at('Yesterday', '20260831'),
        at('Ended', '20200831', 'RRULE:FREQ=WEEKLY;UNTIL=20260801T000000Z'),
        at('Old', '20200831', 'RRULE:FREQ=WEEKLY'),
        at('Far', '20280831'),
        at('Too far', '20280903'),
      ),
    );
    assert.deepEqual(notImported, []);
    // A series keeps its start, so that each later import finds it unchanged.
    assert.deepEqual(
      given.map(({ name, from }) => `${name} ${from}`),
      ['Yesterday 2026-08-31', 'Old 2020-08-31', 'Far 2028-08-31'],
    );
    const { days } = await holidays(
      calendar(['DTSTART;VALUE=DATE:20200907', 'RRULE:FREQ=YEARLY']),
      'UTC',
      '2020-01-01',
      '2040-01-01',
    );
    assert.deepEqual(days, ['2026-09-07', '2027-09-07']);
  });
});

describe('a calendar as people get it: the entries that are meant', () => {
  const ministry = calendar(
    ['SUMMARY:Herbstferien', 'DTSTART;VALUE=DATE:20261012', 'DTEND;VALUE=DATE:20261014', 'CATEGORIES:Ferien'],
    ['SUMMARY:Erster Schultag', 'DTSTART;VALUE=DATE:20260907', 'DESCRIPTION:nach den Sommerferien'],
    ['SUMMARY:Reformationstag', 'DTSTART;VALUE=DATE:20261031', 'CATEGORIES:Feiertag\\, gesetzlich,Sonstiges'],
    ['SUMMARY:Elternabend', 'DTSTART;VALUE=DATE:20261013'],
  );
  const namesOf = async (match: readonly string[], without: readonly string[] = []) =>
    (await holidays(ministry, 'Europe/Berlin', '2026-09-01', '2026-12-31', { match, without })).names;

  it('are chosen by their words, without case', async () => {
    assert.deepEqual(await namesOf(['FERIEN'], ['schultag']), [
      '2026-10-12 Herbstferien',
      '2026-10-13 Herbstferien',
    ]);
    assert.deepEqual(await namesOf(['feiertag, gesetzlich']), ['2026-10-31 Reformationstag']);
    assert.deepEqual(await namesOf([]), [
      '2026-09-07 Erster Schultag',
      '2026-10-12 Herbstferien',
      '2026-10-13 Herbstferien, Elternabend',
      '2026-10-31 Reformationstag',
    ]);
  });

  describe('through the node', () => {
    let school: School;
    beforeEach(async () => {
      school = await School.open();
    });
    afterEach(() => school.close());

    it('are named behind each day', async () => {
      const year = new Date().getUTCFullYear() + 1;
      const ics = ministry.replaceAll('2026', String(year));
      const about = { ics, as: 'exclude', from: `${year}-09-01`, until: `${year}-12-31` };
      const { imported, notImported } = await school.answer('import', {
        ...about,
        match: 'ferien',
        without: ['SCHULTAG', ''],
      });
      assert.deepEqual(imported, [
        { date: `${year}-10-12`, name: 'Herbstferien' },
        { date: `${year}-10-13`, name: 'Herbstferien' },
      ]);
      assert.deepEqual(notImported, []);
    });

    it('ring on a start that their rule does not name', async () => {
      const ics = calendar([
        'SUMMARY:Bell',
        'DTSTART:20300904T080000',
        'RRULE:FREQ=WEEKLY;BYDAY=MO;INTERVAL=2;COUNT=3',
      ]);
      const given = { ics, as: 'bells', tag: 'feed', audio: 'bell-na.wav', from: '2030-09-01' };
      await school.answer('import', given);
      const rings = await school.calendar('2030-09-01', 60);
      // By hand: the Wednesday, and every second Monday from its week on, of which the first was before it.
      assert.deepEqual(
        Object.keys(rings).filter((date) => rings[date]?.length),
        ['2030-09-04', '2030-09-16', '2030-09-30'],
      );
      const again = await school.answer('import', given);
      assert.deepEqual([again.created, again.updated, again.deleted], [[], [], []]);
    });

    it('need texts', async () => {
      for (const more of [
        { match: 5 },
        { without: [{}] },
        { match: Array.from({ length: 101 }, () => 'a') },
      ]) {
        const { caught } = await school.ask('import', { ics: ministry, as: 'skip', ...more });
        assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
      }
      assert.equal(school.writes.length, 0);
    });

    it('are found in a calendar of eight million characters, and no more are looked at', async () => {
      const year = new Date().getUTCFullYear() + 1;
      const past = ['SUMMARY:Past', 'DTSTART:20100907T080000', `DESCRIPTION:${'x'.repeat(2_000)}`];
      const one = ['SUMMARY:Bell', `DTSTART:${year}0907T080000`];
      const ics = calendar(...Array.from({ length: 3_000 }, () => past), one);
      const about = { as: 'bells', tag: 'feed', audio: 'bell-na.wav' };
      const { created } = await school.answer('import', { ...about, ics });
      assert.equal((created as unknown[]).length, 1);
      const { caught } = await school.ask('import', { ...about, ics: ics.padEnd(8_000_001) });
      assert.equal(caught[0]?.error?.code, 'INVALID_PARAMETER');
    });
  });
});
