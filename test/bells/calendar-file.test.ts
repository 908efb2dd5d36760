import assert from 'node:assert/strict';
import { dateOf, dayOf } from '../../src/bells/calendar';
import { checkCalendar } from '../../src/bells/calendar-file/entries';
import { importBells } from '../../src/bells/calendar-file/import-bells';
import { importDays } from '../../src/bells/calendar-file/import-days';
import { fasterThanLinear } from '../growth';

const dayOn = (date: string) => dayOf(date) ?? assert.fail(date);
const today = dayOn('2026-09-01');

function calendar(...entries: readonly string[][]): string {
  const events = entries.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
}

/** Does something while this machine's time zone is another one. */
async function inZone<T>(zone: string, work: () => Promise<T>): Promise<T> {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

async function bells(ics: string, zone = 'Europe/Berlin') {
  const { bells: found, notImported } = await inZone(zone, () => importBells(ics, 'bell-na.wav', {}, today));
  return { given: found.map(({ given }) => given), notImported };
}

const lesson = [
  'UID:1',
  'SUMMARY:Lesson\\, first',
  'DTSTART:20260907T080000',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,WE',
];

describe('a calendar file that becomes bells', () => {
  it('has its entries said as bells', async () => {
    const { given, notImported } = await bells(
      calendar(
        [...lesson, 'EXDATE;VALUE=DATE:20260909', 'EXDATE:20260916T080000'],
        ['SUMMARY:Daily', 'DTSTART:20260907T093005', 'RRULE:FREQ=DAILY;UNTIL=20260930T235959'],
        ['SUMMARY:Once', 'DTSTART:20260908T100000'],
        ['SUMMARY:Monthly', 'DTSTART:20260914T110000', 'RRULE:FREQ=MONTHLY;BYDAY=2MO'],
        ['SUMMARY:Thanksgiving', 'DTSTART:20261126T120000', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'],
      ),
    );
    assert.deepEqual(notImported, []);
    const audio = 'bell-na.wav';
    assert.deepEqual(given, [
      {
        name: 'Lesson, first',
        time: '08:00',
        days: 'mon,wed',
        audio,
        from: '2026-09-07',
        except: ['2026-09-09', '2026-09-16'],
      },
      { name: 'Daily', time: '09:30:05', days: 'daily', audio, from: '2026-09-07', until: '2026-09-30' },
      { name: 'Once', time: '10:00', days: 'once', audio, from: '2026-09-08', until: '2026-09-08' },
      { name: 'Monthly', time: '11:00', rrule: 'FREQ=MONTHLY;BYDAY=2MO', audio, from: '2026-09-14' },
      {
        name: 'Thanksgiving',
        time: '12:00',
        rrule: 'FREQ=MONTHLY;INTERVAL=12;BYDAY=4TH',
        audio,
        from: '2026-11-26',
      },
    ]);
  });

  it('says what cannot become one, and why', async () => {
    const { given, notImported } = await bells(
      calendar(
        ['SUMMARY:Whole day', 'DTSTART;VALUE=DATE:20260907'],
        ['SUMMARY:Hourly', 'DTSTART:20260907T080000', 'RRULE:FREQ=HOURLY'],
        ['SUMMARY:Twice', 'DTSTART:20260907T080000', 'RRULE:FREQ=DAILY;BYHOUR=8,9'],
        ['SUMMARY:Week 20', 'DTSTART:20260907T080000', 'RRULE:FREQ=YEARLY;BYWEEKNO=20'],
        ['SUMMARY:Two days', 'DTSTART:20260901T080000', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15'],
        ['SUMMARY:Nowhere', 'DTSTART;TZID=Middle Earth:20260907T080000'],
        ['SUMMARY:Off', 'DTSTART:20260907T080000', 'STATUS:CANCELLED'],
      ),
    );
    assert.deepEqual(given, []);
    assert.deepEqual(
      notImported.map(({ name, reason }) => `${name}: ${reason}`).sort(),
      [
        'Hourly: it repeats within a day',
        'Nowhere: its time zone Middle Earth is not known',
        'Off: it is cancelled',
        'Twice: it repeats within a day, or at another time than it begins',
        'Two days: its rule cannot be said in one event of the device',
        'Week 20: its rule has BYWEEKNO, which cannot be said here',
        'Whole day: it has no time of day',
      ],
    );
  });

  it('keeps what was moved or called off out of the series', async () => {
    const { given } = await bells(
      calendar(
        lesson,
        ['UID:1', 'SUMMARY:Later', 'RECURRENCE-ID:20260909T080000', 'DTSTART:20260909T100000'],
        [
          'UID:1',
          'SUMMARY:Off',
          'RECURRENCE-ID:20260914T080000',
          'DTSTART:20260914T080000',
          'STATUS:CANCELLED',
        ],
      ),
    );
    assert.deepEqual(
      given.map(({ name, time, except }) => ({ name, time, except })),
      [
        { name: 'Lesson, first', time: '08:00', except: ['2026-09-09', '2026-09-14'] },
        { name: 'Later', time: '10:00', except: undefined },
      ],
    );
  });

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
        'SUMMARY:Late',
        'DTSTART;TZID=America/Los_Angeles:20260907T200000',
        'RRULE:FREQ=DAILY;UNTIL=20260911T030000Z',
      ]),
      'America/Los_Angeles',
    );
    // 03:00 UTC is 20:00 of the tenth there.
    assert.deepEqual(given[0]?.until, '2026-09-10');
  });

  it('is found wrong by line and column, all of it at once', () => {
    const ics = calendar(
      ['SUMMARY:One', 'DTSTART:2026-09-07T08:00', 'EXDATE:20260901T080000,20261301'],
      ['SUMMARY:Two'],
      ['SUMMARY Three', 'DTSTART:20260907T080000', 'DURATION:an hour'],
    );
    assert.deepEqual(checkCalendar(ics), [
      'ics line 12, column 1: there is no colon in "SUMMARY Three"',
      'ics line 5, column 9: DTSTART is no date or time: "2026-09-07T08:00"',
      'ics line 6, column 24: EXDATE is no date or time: "20261301"',
      'ics line 9, column 1: this entry has no DTSTART',
      'ics line 14, column 10: DURATION is none: "an hour"',
    ]);
    assert.match(String(checkCalendar('hello')[0]), /line 1, column 1/);
    assert.match(String(checkCalendar('BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260901')[0]), /no END/);
    assert.match(
      String(checkCalendar('BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VTODO\nEND:VCALENDAR')[0]),
      /^ics line 3/,
    );
  });

  it('takes time in proportion to its length, whatever is in it', () => {
    for (const piece of ['BEGIN:VEVENT\n', 'A;B="', ' \n', '\\,', 'DTSTART:1,', 'BEGIN:VCALENDAR\n']) {
      const head = piece === 'BEGIN:VCALENDAR\n' ? '' : 'BEGIN:VCALENDAR\n';
      const make = (length: number) => head + piece.repeat(Math.ceil(length / piece.length));
      assert.equal(fasterThanLinear(make, checkCalendar), undefined, piece);
    }
  }).timeout(60_000);
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
