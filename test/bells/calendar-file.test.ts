import assert from 'node:assert/strict';
import { dayOf } from '../../src/bells/calendar';
import { checkCalendar } from '../../src/bells/calendar-file/check-calendar';
import { readCalendarText } from '../../src/bells/calendar-file/content-lines';
import { readEvent } from '../../src/bells/calendar-file/event';
import { exportCalendar } from '../../src/bells/calendar-file/export';
import { localizedPhrase } from '../../src/catalogue/localized-message';
import { Slices } from '../../src/kernel/time/slices';
import { fasterThanLinear } from '../fixtures/faster-than-linear';
import { bells, calendar, holidays } from './calendar-text';

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

  it('ends a rule where it ends, also where there are days beside it later', async () => {
    const { given } = await bells(
      calendar([
        'SUMMARY:Weekend',
        'DTSTART:20260912T100000',
        'RRULE:FREQ=WEEKLY;BYDAY=SA,SU;UNTIL=20260920T100000',
        'EXDATE:20260920T100000',
        'RDATE:20260930T100000',
      ]),
    );
    assert.deepEqual(
      given.map(({ rrule, except, rdate }) => ({ rrule, except, rdate })),
      [{ rrule: 'FREQ=WEEKLY;BYDAY=SA,SU;UNTIL=20260919', except: undefined, rdate: ['2026-09-30'] }],
    );
  });

  it('is not said by a rule whose first day is one beside it, which would move all others', async () => {
    const weekly = ['DTSTART:20260907T080000', 'RRULE:FREQ=WEEKLY;COUNT=4'];
    const { given, notImported } = await bells(
      calendar(
        ['SUMMARY:Before', ...weekly, 'RDATE:20260902T080000'],
        ['SUMMARY:Instead', ...weekly, 'EXDATE:20260907T080000', 'RDATE:20260909T080000'],
        ['SUMMARY:Named twice', ...weekly, 'RDATE:20260907T080000'],
      ),
    );
    assert.deepEqual(
      given.map(({ name, from, until }) => ({ name, from, until })),
      [{ name: 'Named twice', from: '2026-09-07', until: '2026-09-28' }],
    );
    assert.deepEqual(
      notImported.map(({ name, reason }) => `${name}: ${reason}`),
      [
        'Before: one event of the device cannot express its rule',
        'Instead: one event of the device cannot express its rule',
      ],
    );
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
    assert.deepEqual(notImported.map(({ name, reason }) => `${name}: ${reason}`).sort(), [
      'Hourly: it repeats within one day',
      'Nowhere: its time zone Middle Earth is unknown',
      'Off: it is cancelled',
      'Twice: it repeats within one day, or at another time than its start',
      'Two days: one event of the device cannot express its rule',
      'Week 20: its rule has BYWEEKNO, which is not supported',
      'Whole day: it has no time of day',
    ]);
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

  it('is read without the entries that are wrong, each with its line and the reason', async () => {
    const ics = calendar(
      ['SUMMARY:One', 'DTSTART:2026-09-07T08:00', 'EXDATE:20260901T080000,20261301'],
      ['SUMMARY:Two'],
      ['SUMMARY Three', 'DTSTART:20260907T080000', 'DURATION:an hour'],
      ['SUMMARY:Five', 'DTSTART;TZID="Europe/Berlin:20260907T080000'],
    );
    const { given, notImported } = await bells(ics);
    // A line that is no property is left out, and a bell has no length.
    assert.deepEqual(
      given.map(({ name, time }) => [name, time]),
      [['Bell', '08:00']],
    );
    assert.deepEqual(
      notImported.map(({ name, line, reason }) => `${name}, ${line}: ${reason}`),
      [
        'One, 3: ics line 5, column 9: DTSTART is not a valid date or time: "2026-09-07T08:00"',
        'Two, 8: ics line 8, column 1: the entry has no DTSTART',
        'Five, 16: ics line 18, column 1: a quotation mark is not closed in "DTSTART;TZID=\\"Europe/Berlin:20260907T080"',
      ],
    );
    const days = await holidays(ics, 'Europe/Berlin', '2026-09-01', '2026-09-30');
    assert.deepEqual(days.days, []);
    assert.deepEqual(
      days.notImported.map(({ name, reason }) => `${name}: ${reason}`).at(-1),
      'Bell: ics line 14, column 10: DURATION is not valid: "an hour"',
    );
  });

  it('is refused only where it has no entry that can be read', async () => {
    const reasons = async (ics: string) => (await checkCalendar(ics)).map(String);
    const good = ['SUMMARY:Good', 'DTSTART:20260907T080000'];
    assert.deepEqual(await reasons(calendar(good, ['SUMMARY:No start'], ['DTSTART:tomorrow'])), []);
    assert.deepEqual(await reasons(`X-ODD\n\u0000\n${calendar(['COMMENT', ':', ';;;', ...good])}`), []);
    assert.deepEqual(await reasons(calendar(['SUMMARY:No start'], ['DTSTART:tomorrow'])), [
      'ics line 3, column 1: the entry has no DTSTART',
      'ics line 7, column 9: DTSTART is not a valid date or time: "tomorrow"',
    ]);
    assert.deepEqual(await reasons(calendar()), ['ics: the calendar has no entry']);
    assert.match(String(await reasons('hello')), /line 1, column 1/);
    assert.match(String(await reasons('<html>BEGIN:VCALENDAR')), /line 1, column 1/);
  });

  it('tells what is cut off, and what lost its end', async () => {
    const bell = (name: string) => [`SUMMARY:${name}`, 'DTSTART:20260907T080000'];
    const whole = calendar(bell('One'), bell('Two'), bell('Three'));
    const cut = await bells(whole.slice(0, whole.indexOf('Two') + 20));
    const told = ({ given, notImported }: typeof cut) => [
      given.map(({ name }) => name),
      notImported.map(({ name, reason }) => `${name}: ${reason}`),
    ];
    assert.deepEqual(told(cut), [
      ['One'],
      [
        'Two: ics line 7, column 1: BEGIN:VEVENT has no END',
        'VCALENDAR: ics line 1, column 1: BEGIN:VCALENDAR has no END',
      ],
    ]);
    assert.deepEqual(told(await bells(whole.replace('END:VEVENT\r\n', ''))), [
      ['Two', 'Three'],
      ['One: ics line 3, column 1: BEGIN:VEVENT has no END'],
    ]);
    assert.deepEqual(told(await bells(whole.replace('END:VEVENT', 'END:VTODO'))), [
      ['Two', 'Three'],
      ['One: ics line 3, column 1: BEGIN:VEVENT has no END'],
    ]);
  });

  it('is said to have lost its line breaks, as a field of one line takes them away', async () => {
    const whole = calendar(['SUMMARY:One', 'DTSTART:20260907T080000']);
    const pasted = [whole.replaceAll('\r\n', ''), ` ${whole.replaceAll('\r\n', ' ')} `];
    for (const ics of pasted) {
      assert.deepEqual((await checkCalendar(ics)).map(String), [
        'ics line 1, column 1: the line breaks of the calendar are missing; a one-line field removes them, a message or JSON keeps them',
      ]);
    }
    assert.deepEqual(await checkCalendar(`\ufeff${whole.replace('\r\n', '  \n')}`), []);
  });

  it('takes time in proportion to its length, whatever is in it', () => {
    const inOnePiece = Object.create(Slices.prototype, { isOver: { value: false } }) as Slices;
    const read = (ics: string) => void readCalendarText(ics, localizedPhrase, inOnePiece);
    for (const piece of ['BEGIN:VEVENT\n', 'A;B="', ' \n', '\\,', 'DTSTART:1,', 'BEGIN:VCALENDAR\n']) {
      const head = piece === 'BEGIN:VCALENDAR\n' ? '' : 'BEGIN:VCALENDAR\n';
      const make = (length: number) => head + piece.repeat(Math.ceil(length / piece.length));
      assert.equal(fasterThanLinear(make, read), undefined, piece);
    }
    for (const [name, piece] of [
      ['DTSTART', '1,'],
      ['EXDATE', ','],
      ['SUMMARY', '\\,'],
      ['RRULE', ' ;'],
    ] as const) {
      const event = (length: number) => {
        const line = { name, parameters: {}, value: piece.repeat(length / piece.length), line: 1, column: 1 };
        return { name: 'VEVENT', line: 1, lines: [line], inner: [] };
      };
      assert.equal(
        fasterThanLinear(event, (one) => readEvent(one, localizedPhrase)),
        undefined,
        name,
      );
    }
  });
});

describe('a calendar file that is made of events', () => {
  it('ends a rule that counts where its count ends, also where days beside the rule ring later', async () => {
    const event = {
      ...{ evid: 1, name: 'Ring', start_date: '2030-09-07', start_time: '10:00', rdate: '2030-09-25' },
      rrule: 'FREQ=WEEKLY;BYDAY=SA,SU;COUNT=3',
    };
    // By hand: Saturday, Sunday, Saturday, and the Wednesday; not the weekend of the 21st.
    const rings = ['2030-09-07', '2030-09-08', '2030-09-14', '2030-09-25'];
    const instance = { evid: 1, color: '', name: 'Ring', start_time: '10:00', skipped: 0 };
    const shown = Object.fromEntries(rings.map((date) => [date, [instance]]));
    const from = dayOf('2030-09-01') ?? assert.fail();
    const ics = await exportCalendar(
      { groups: [], events: [event] },
      shown,
      from,
      60,
      '2030-09-01T00:00:00Z',
    );
    const rules = ics.split('\r\n').filter((line) => /^(?:RRULE|RDATE|EXDATE)/.test(line));
    assert.deepEqual(rules, ['RRULE:FREQ=WEEKLY;BYDAY=SA,SU;UNTIL=20300914T100000', 'RDATE:20300925T100000']);
  });

  it('has a day once that the device lists many times for an event', async () => {
    const event = { evid: 1, name: 'Ring', start_date: '2030-09-02', start_time: '10:00', rrule: '' };
    const instance = { evid: 1, color: '', name: 'Ring', start_time: '10:00', skipped: 0 };
    const shown = { '2030-09-02': [instance], '2030-09-04': new Array(20).fill(instance) };
    const from = dayOf('2030-09-01') ?? assert.fail();
    const database = { groups: [], events: [event] };
    const ics = await exportCalendar(database, shown, from, 60, '2030-09-01T00:00:00Z');
    assert.deepEqual(ics.match(/RDATE:\d+/g), ['RDATE:20300904']);
  });
});
