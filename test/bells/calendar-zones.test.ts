import assert from 'node:assert/strict';
import { dateOf } from '../../src/bells/calendar';
import { importDays } from '../../src/bells/calendar-file/import-days';
import { bells, calendar, dayOn, inZone } from './calendar-text';

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
    assert.match(String(notImported[0]?.reason), /time zone Our own is not known/);
  });

  it('is not converted where summer time would change its time of day here', async () => {
    const weekly = ['SUMMARY:Far', 'DTSTART;TZID=America/New_York:20260907T080000', 'RRULE:FREQ=WEEKLY'];
    const { notImported } = await bells(calendar(weekly));
    assert.match(String(notImported[0]?.reason), /not always the same/);
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
  const span = [dayOn('2026-09-01'), dayOn('2027-08-31')] as const;
  const days = async (ics: string, zone: string) => {
    const { days: found, notImported } = await inZone(zone, () => importDays(ics, ...span));
    assert.deepEqual(notImported, []);
    return [...found].sort((a, b) => a - b).map(dateOf);
  };
  const holidays = calendar(
    ['SUMMARY:Autumn', 'DTSTART;VALUE=DATE:20261012', 'DTEND;VALUE=DATE:20261015'],
    ['SUMMARY:Christmas', 'DTSTART;VALUE=DATE:20201225', 'RRULE:FREQ=YEARLY'],
    ['SUMMARY:Before', 'DTSTART;VALUE=DATE:20260830', 'DURATION:P3D'],
  );

  for (const zone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
    it(`has the same days in ${zone}`, async () => {
      assert.deepEqual(await days(holidays, zone), [
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
