import assert from 'node:assert/strict';
import { readCalendarText } from '../../src/bells/calendar-file/content-lines';
import { DescribedZone } from '../../src/bells/calendar-file/described-zone';
import { importBells } from '../../src/bells/calendar-file/import-bells';
import { localized, localizedPhrase } from '../../src/catalogue/localized-message';
import { Slices } from '../../src/kernel/time/slices';
import { wordingIn } from '../fixtures/wording';
import { bells, calendar, dayOn, holidays, inZone } from './calendar-text';

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

  it('is converted from a zone that it describes itself', async () => {
    const { given } = await bells(described(everyOctober), 'Europe/London');
    assert.deepEqual(
      given.map(({ time }) => time),
      ['07:00'],
    );
  });

  const hourOf = async (ics: string, zone = 'Europe/London'): Promise<string> => {
    const { given, notImported } = await bells(ics, zone);
    return String(given[0]?.time ?? notImported[0]?.reason);
  };

  for (const rule of [
    'FREQ=YEARLY;BYMONTH=10;BYDAY=4SU;UNTIL=20991231T000000Z',
    'FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=25',
    'FREQ=YEARLY;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31;BYMONTH=10',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=SU;BYMONTHDAY=-7,-6,-5,-4,-3,-2,-1',
    'FREQ=YEARLY;BYMONTH=10',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=SU;BYSETPOS=-1',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;BYHOUR=3;BYMINUTE=0',
    'FREQ=YEARLY; BYMONTH=10; BYDAY=-1SU',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;COUNT=200',
    'FREQ=YEARLY;BYYEARDAY=-65',
    'FREQ=YEARLY;BYYEARDAY=300',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;WKST=SU',
  ]) {
    it(`is converted by a rule of its description: ${rule}`, async () => {
      assert.equal(await hourOf(described(rule)), '07:00');
    });
  }

  for (const rule of [
    'FREQ=YEARLY;BYWEEKNO=43;BYDAY=SU',
    'FREQ=SECONDLY',
    'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;BYHOUR=2,3',
    'BYMONTH=10',
  ]) {
    it(`is in an unknown zone where its description cannot be read: ${rule}`, async () => {
      assert.match(await hourOf(described(rule)), wordingIn('reasons:zoneUnknown', { zone: 'Our own' }));
      // A rule that ended long ago sets no clock any more.
      const ended = described(`${rule};UNTIL=19701231T000000Z`);
      assert.equal(await hourOf(ended), '07:00');
    });
  }

  it('is converted by what its description says, and not by a zone of the world with its name', async () => {
    // In the file it is the east of Australia, which has no summer time.
    const east = described('FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU')
      .replace(/BEGIN:DAYLIGHT[\s\S]*END:DAYLIGHT\n/, '')
      .replaceAll('Our own', 'EST')
      .replaceAll('+0100', '+1000')
      .replaceAll('+0200', '+1000');
    assert.equal(await hourOf(east, 'Asia/Tokyo'), '07:00');
    assert.match(
      await hourOf(east.replace('BYDAY=-1SU', 'BYWEEKNO=43'), 'Asia/Tokyo'),
      wordingIn('reasons:zoneUnknown', { zone: 'EST' }),
    );
    const berlin = described('FREQ=YEARLY;BYWEEKNO=43').replaceAll('Our own', 'Europe/Berlin');
    assert.equal(await hourOf(berlin), '07:00');
  });

  it('is in the zone of this machine where its description has the same clock', async () => {
    const weekly = described(everyOctober).replace('END:VEVENT', 'RRULE:FREQ=WEEKLY\nEND:VEVENT');
    assert.equal(await hourOf(weekly, 'Europe/Berlin'), '08:00');
    // Since its clock is the same, nothing would have to be converted.
    const otherWallClock = localized('isCancelled');
    const imported = await inZone('Europe/Berlin', () =>
      importBells(weekly, 'bell-na.wav', { otherWallClock }, dayOn('2026-09-01')),
    );
    assert.equal(imported?.bells.length, 1);
  });

  for (const [title, written, name] of [
    ['with escapes', '(UTC+01:00) Amsterdam\\, Berlin\\, Bern', '"(UTC+01:00) Amsterdam\\, Berlin\\, Bern"'],
    ['with escapes on one side', '(UTC+01:00) Amsterdam\\, Berlin', '"(UTC+01:00) Amsterdam, Berlin"'],
    [
      'with a colon and no quotation marks',
      '(UTC-05:00) Eastern (US & Canada)',
      '(UTC-05:00) Eastern (US & Canada)',
    ],
    ['with blanks', ' Our own ', ' Our own '],
  ] as const) {
    it(`is converted from a zone whose name is written ${title}`, async () => {
      const ics = described(everyOctober)
        .replace('TZID:Our own', `TZID:${written}`)
        .replace('TZID=Our own', `TZID=${name}`);
      assert.equal(await hourOf(ics), '07:00');
    });
  }

  for (const name of [
    '/vendor/America/Argentina/Buenos_Aires',
    '/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires',
    '/example.org/20260101_1/America/Buenos_Aires',
  ]) {
    it(`is converted from the zone behind a path: ${name}`, async () => {
      const ics = calendar(['SUMMARY:There', `DTSTART;TZID=${name}:20260907T080000`]);
      assert.equal(await hourOf(ics), '12:00');
    });
  }

  it('takes no rule out of the name of a parameter', async () => {
    const hidden = described(everyOctober).replace(
      `RRULE:${everyOctober}`,
      'RRULE;X="a:FREQ=YEARLY;BYMONTH=3;BYDAY=1SU;WKST=MO=":BYWEEKNO=3;FREQ=YEARLY;BYMONTH=3',
    );
    assert.match(await hourOf(hidden), wordingIn('reasons:zoneUnknown', { zone: 'Our own' }));
  });

  it('takes no more steps for a rule since the first year, and refuses very many changes', async () => {
    assert.equal(await hourOf(described(everyOctober).replaceAll('DTSTART:1970', 'DTSTART:0001')), '07:00');
    const text = described(everyOctober).split('\n');
    const dates = Array.from({ length: 2_001 }, () => '20260101T000000').join();
    const many = [...text.slice(0, 4), `RDATE:${dates}`, ...text.slice(4)].join('\n');
    assert.match(await hourOf(many), wordingIn('reasons:zoneUnknown', { zone: 'Our own' }));
  });

  it('has the clock of each side of a change, as the world has it', async () => {
    const [component] = (await readCalendarText(described(everyOctober), localizedPhrase, new Slices()))
      .components;
    const zone = await DescribedZone.read(component ?? assert.fail(), dayOn('2026-09-01'));
    assert.ok(zone);
    await inZone('Europe/Berlin', async () => {
      for (let hour = 0; hour < 24 * 800; hour += 1) {
        const ms = Date.UTC(2026, 0, 1) + hour * 3_600_000;
        const offset = -new Date(ms).getTimezoneOffset() * 60_000;
        assert.equal(zone.offsetAt(ms), offset, new Date(ms).toISOString());
        // A time that comes twice is the first of the two.
        const isSecond: boolean = zone.offsetAt(ms - 3_600_000) === offset + 3_600_000;
        assert.equal(zone.utcOf(ms + offset), isSecond ? ms - 3_600_000 : ms, new Date(ms).toISOString());
      }
    });
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
