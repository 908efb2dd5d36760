import assert from 'node:assert/strict';
import { plainZone } from '../../src/bells/calendar-file/zone-rules';
import { wordingIn } from '../fixtures/wording';
import { bells, calendar, holidays } from './calendar-text';

describe('a calendar file from another time zone', () => {
  const described = (rule: string) =>
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VTIMEZONE',
      'TZID:Our own',
      'BEGIN:STANDARD',
      'DTSTART:19701025T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      `RRULE:${rule}`,
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:19700329T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'SUMMARY:There',
      'DTSTART;TZID=Our own:20260907T080000',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\n');
  const everyOctober = 'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU';

  const zones: readonly [title: string, here: string, start: string, expected: string][] = [
    [
      'named by the IANA, without a VTIMEZONE',
      'Europe/London',
      'TZID=Europe/Berlin:20260907T080000',
      '07:00',
    ],
    ['named by Windows', 'Europe/London', 'TZID=W. Europe Standard Time:20260907T080000', '07:00'],
    [
      'with a path before it',
      'Europe/London',
      'TZID=/example.org/2026/Europe/Berlin:20260907T080000',
      '07:00',
    ],
    ['in quotation marks', 'Europe/London', 'TZID="Europe/Berlin":20260907T080000', '07:00'],
    ['that is this one', 'Europe/Berlin', 'TZID=Europe/Berlin:20260907T080000', '08:00'],
  ];
  for (const [title, here, start, expected] of zones) {
    it(`is converted from a zone ${title}`, async () => {
      const { given } = await bells(calendar(['SUMMARY:There', `DTSTART;${start}`]), here);
      assert.deepEqual(
        given.map(({ time }) => time),
        [expected],
      );
    });
  }

  it('is converted from UTC, and to the day before', async () => {
    const { given } = await bells(
      calendar(['SUMMARY:Night', 'DTSTART:20260908T030000Z', 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3']),
      'America/New_York',
    );
    assert.deepEqual(
      given.map(({ time, days, from, until }) => ({ time, days, from, until })),
      [{ time: '23:00', days: 'mon', from: '2026-09-07', until: '2026-09-21' }],
    );
  });

  it('is converted from a zone that it describes itself, if that can be done in finite time', async () => {
    const { given } = await bells(described(everyOctober), 'Europe/London');
    assert.deepEqual(
      given.map(({ time }) => time),
      ['07:00'],
    );
    const { notImported } = await bells(described('FREQ=DAILY;INTERVAL=7;BYDAY=TU'), 'Europe/London');
    assert.match(String(notImported[0]?.reason), wordingIn('reasons:zoneUnknown', { zone: 'Our own' }));
  });

  for (const rule of [
    'FREQ=YEARLY;BYMONTH=10;BYDAY=4SU;UNTIL=20991231T000000Z',
    'FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=25',
    'FREQ=YEARLY;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31;BYMONTH=10',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=SU;BYMONTHDAY=-7,-6,-5,-4,-3,-2,-1',
    'FREQ=YEARLY;BYMONTH=10',
  ]) {
    it(`is converted by a rule with a day in each year: ${rule}`, async () => {
      const { given } = await bells(described(rule), 'Europe/London');
      assert.deepEqual(
        given.map(({ time }) => time),
        ['07:00'],
      );
    });
  }

  for (const rule of [
    'FREQ=YEARLY;BYDAY=6SU;BYMONTH=3',
    'FREQ=YEARLY;BYDAY=5SU;BYMONTH=3',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1',
    'FREQ=YEARLY;BYMONTH=4;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31',
    'FREQ=YEARLY;BYMONTH=4;BYDAY=SU;BYMONTHDAY=1',
    'FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;BYMONTHDAY=15',
    'FREQ=YEARLY;BYMONTH=13;BYMONTHDAY=1',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;INTERVAL=9999',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;COUNT=99999',
    'FREQ=YEARLY;BYDAY=1SU;BYMONTH=3;WKST=MO=":BYDAY=6SU;FREQ=YEARLY;BYMONTH=3',
  ]) {
    it(`is not looked for where a rule may have no day in a year: ${rule}`, async () => {
      const { notImported } = await bells(described(rule), 'Europe/London');
      assert.match(String(notImported[0]?.reason), wordingIn('reasons:zoneUnknown', { zone: 'Our own' }));
    });
  }

  it('takes no rule out of the name of a parameter', async () => {
    const hidden = described(everyOctober).replace(
      `RRULE:${everyOctober}`,
      'RRULE;X="a:FREQ=YEARLY;BYMONTH=3;BYDAY=1SU;WKST=MO=":BYDAY=6SU;FREQ=YEARLY;BYMONTH=3',
    );
    const { notImported } = await bells(hidden, 'Europe/London');
    assert.match(String(notImported[0]?.reason), wordingIn('reasons:zoneUnknown', { zone: 'Our own' }));
  });

  it('takes no more steps for a rule since the first year, or for entries of all later years', () => {
    const text = described(everyOctober).split('\n');
    const since = (year: string) =>
      plainZone(text.map((line) => line.replace('DTSTART:1970', `DTSTART:${year}`)));
    assert.ok(since('0001')?.includes('DTSTART:19681025T030000'));
    const many = Array.from({ length: 20 }, () => text.slice(3, 9)).flat();
    assert.equal(plainZone(many), undefined);
  });

  for (const [title, date, expected] of [
    ['in summer', '21000907', '07:00'],
    ['in winter', '99991207', '07:00'],
  ] as const) {
    it(`is converted beyond the years that are looked up, ${title}`, async () => {
      const far = described(everyOctober).replace('20260907', date);
      const { given } = await bells(far, 'Europe/London');
      assert.deepEqual(
        given.map(({ time }) => time),
        [expected],
      );
    });
  }

  it('is converted by a rule that ended long ago', async () => {
    const text = described('FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=19551231T000000Z')
      .replace('DTSTART:19701025', 'DTSTART:19401025')
      .replace(/BEGIN:DAYLIGHT[\s\S]*END:DAYLIGHT\n/, '');
    const { given } = await bells(text, 'Europe/London');
    // It stays at +01:00, as London does in summer.
    assert.deepEqual(
      given.map(({ time }) => time),
      ['08:00'],
    );
  });

  it('is not converted where summer time would change its time of day here', async () => {
    const weekly = ['SUMMARY:Far', 'DTSTART;TZID=America/New_York:20260907T080000', 'RRULE:FREQ=WEEKLY'];
    const { notImported } = await bells(calendar(weekly));
    assert.match(String(notImported[0]?.reason), wordingIn('reasons:otherSummerTime'));
  });

  it('ends when it says, with a zone that nobody described and an end in UTC', async () => {
    const { given } = await bells(
      calendar([
        'SUMMARY:Early',
        'DTSTART;TZID=Asia/Tokyo:20260907T080000',
        'RRULE:FREQ=DAILY;UNTIL=20260910T230000Z',
      ]),
      'Asia/Tokyo',
    );
    // 23:00 UTC is 08:00 of the eleventh there.
    assert.equal(given[0]?.until, '2026-09-11');
  });
});

describe('a calendar file that becomes days', () => {
  const days = async (ics: string, zone: string) => {
    const { days: found, notImported } = await holidays(ics, zone, '2026-09-01', '2027-08-31');
    assert.deepEqual(notImported, []);
    return found;
  };
  const ofSchool = calendar(
    ['SUMMARY:Autumn', 'DTSTART;VALUE=DATE:20261012', 'DTEND;VALUE=DATE:20261015'],
    ['SUMMARY:Christmas', 'DTSTART;VALUE=DATE:20201225', 'RRULE:FREQ=YEARLY'],
    ['SUMMARY:Before', 'DTSTART;VALUE=DATE:20260830', 'DURATION:P3D'],
  );

  for (const zone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
    it(`has the same days in ${zone}`, async () => {
      assert.deepEqual(await days(ofSchool, zone), [
        '2026-09-01',
        '2026-10-12',
        '2026-10-13',
        '2026-10-14',
        '2026-12-25',
      ]);
    });
  }

  it('has each day that something with times is on', async () => {
    const night = calendar(
      ['SUMMARY:Night', 'DTSTART:20261001T220000', 'DTEND:20261002T060000'],
      ['SUMMARY:To midnight', 'DTSTART:20261005T200000', 'DTEND:20261006T000000'],
      ['SUMMARY:A moment', 'DTSTART:20261008T200000'],
    );
    assert.deepEqual(await days(night, 'Europe/Berlin'), [
      '2026-10-01',
      '2026-10-02',
      '2026-10-05',
      '2026-10-08',
    ]);
  });
});
