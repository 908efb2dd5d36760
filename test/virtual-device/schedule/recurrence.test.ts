import assert from 'node:assert/strict';
import { dateOf, dayOf } from '../../../src/virtual-device/schedule/days';
import { dayTestOf } from '../../../src/virtual-device/schedule/recurrence';
import { refuseRule } from '../../../src/virtual-device/schedule/rule';

/** All dates from one to another on which something happens. */
function occurrences(recurrence: object, from: string, to: string): string[] {
  const found: string[] = [];
  const [first = 0, last = -1] = [dayOf(from), dayOf(to)];
  const isOn = dayTestOf(recurrence);
  for (let day = first; day <= last; day += 1) if (isOn(day)) found.push(dateOf(day));
  return found;
}

// 2020-09-28 is a Monday.
const cases: readonly [string, object, string, string, string[]][] = [
  ['no rule', { rrule: '' }, '2020-09-20', '2020-10-20', ['2020-09-28']],
  [
    'every third day, twice',
    { rrule: 'FREQ=DAILY;INTERVAL=3;COUNT=2' },
    '2020-09-20',
    '2020-10-20',
    ['2020-09-28', '2020-10-01'],
  ],
  [
    'until a date',
    { rrule: 'FREQ=DAILY;UNTIL=20200929' },
    '2020-09-20',
    '2020-10-20',
    ['2020-09-28', '2020-09-29'],
  ],
  [
    'until a moment',
    { rrule: 'FREQ=DAILY;UNTIL=20200929T120000Z' },
    '2020-09-29',
    '2020-10-20',
    ['2020-09-29'],
  ],
  [
    'school days',
    { rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' },
    '2020-10-01',
    '2020-10-06',
    ['2020-10-01', '2020-10-02', '2020-10-05', '2020-10-06'],
  ],
  [
    'every other week',
    { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU' },
    '2020-09-20',
    '2020-10-20',
    ['2020-09-29', '2020-10-04', '2020-10-13', '2020-10-18'],
  ],
  [
    'the 31st, where there is one',
    { start_date: '2020-08-31', rrule: 'FREQ=MONTHLY' },
    '2020-08-01',
    '2020-12-31',
    ['2020-08-31', '2020-10-31', '2020-12-31'],
  ],
  [
    'the first Monday and last Friday',
    { rrule: 'FREQ=MONTHLY;BYDAY=1MO,-1FR' },
    '2020-10-01',
    '2020-10-31',
    ['2020-10-05', '2020-10-30'],
  ],
  [
    'the last Monday of the year',
    { rrule: 'FREQ=YEARLY;BYDAY=-1MO' },
    '2020-01-01',
    '2021-12-31',
    ['2020-12-28', '2021-12-27'],
  ],
  [
    'leap days',
    { start_date: '2020-02-29', rrule: 'FREQ=YEARLY' },
    '2020-01-01',
    '2024-12-31',
    ['2020-02-29', '2024-02-29'],
  ],
  [
    'so many days since long ago',
    { start_date: '1970-01-01', rrule: 'FREQ=DAILY;COUNT=18534' },
    '2020-09-27',
    '2020-09-30',
    ['2020-09-27', '2020-09-28'],
  ],
  [
    'so many weekends since long ago, of every third day',
    { start_date: '1970-01-02', rrule: 'FREQ=DAILY;INTERVAL=3;BYDAY=SA,SU;COUNT=5' },
    '1970-01-01',
    '1971-01-01',
    ['1970-01-11', '1970-01-17', '1970-02-01', '1970-02-07', '1970-02-22'],
  ],
  [
    'so many long months since long ago',
    { start_date: '1970-01-31', rrule: 'FREQ=MONTHLY;COUNT=355' },
    '2020-06-01',
    '2020-12-31',
    ['2020-07-31', '2020-08-31'],
  ],
  [
    'so many months since centuries ago',
    { start_date: '1601-01-01', rrule: 'FREQ=MONTHLY;COUNT=5000' },
    '2017-07-01',
    '2017-12-31',
    ['2017-07-01', '2017-08-01'],
  ],
  [
    'so many leap days',
    { start_date: '1972-02-29', rrule: 'FREQ=YEARLY;COUNT=13' },
    '2016-01-01',
    '2028-12-31',
    ['2016-02-29', '2020-02-29'],
  ],
  [
    'every week',
    { rrule: 'FREQ=WEEKLY' },
    '2020-09-20',
    '2020-10-12',
    ['2020-09-28', '2020-10-05', '2020-10-12'],
  ],
  [
    'five school days',
    { rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3' },
    '2020-09-20',
    '2020-11-20',
    ['2020-09-28', '2020-09-30', '2020-10-05'],
  ],
  [
    'so many weeks since long ago',
    { start_date: '1970-01-01', rrule: 'FREQ=WEEKLY;COUNT=2649' },
    '2020-09-20',
    '2020-10-31',
    ['2020-09-24', '2020-10-01'],
  ],
  [
    'extra and excluded dates',
    { rrule: 'FREQ=WEEKLY', rdate: '2020-10-01,2020-10-02', exdate: '2020-10-02,2020-10-05' },
    '2020-09-28',
    '2020-10-12',
    ['2020-09-28', '2020-10-01', '2020-10-12'],
  ],
];

describe('recurrence of schedules (section 2.6a)', () => {
  for (const [what, recurrence, from, to, expected] of cases)
    it(what, () =>
      assert.deepEqual(occurrences({ start_date: '2020-09-28', ...recurrence }, from, to), expected),
    );

  it('knows a right rule', () => {
    for (const rule of ['', 'FREQ=DAILY', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,-1FR;UNTIL=20201231'])
      assert.equal(refuseRule(rule), undefined, rule);
  });

  it('knows a wrong rule', () => {
    for (const rule of [
      ' ',
      'FREQ=DAILY; COUNT=2',
      'COUNT=2',
      'FREQ=HOURLY',
      'FREQ=daily',
      'FREQ=DAILY;FREQ=DAILY',
      'FREQ=DAILY;COUNT=0',
      'FREQ=DAILY;UNTIL=2020-12-31',
      'FREQ=DAILY;BYDAY=Monday',
      'FREQ=DAILY;BYHOUR=1',
      'FREQ=DAILY;',
      'FREQ=DAILY=1',
    ])
      assert.equal(typeof refuseRule(rule), 'string', rule);
  });

  it('knows dates that do not exist', () => {
    for (const date of ['2021-02-29', '2020-13-01', '2020-1-1', '20200101', ''])
      assert.equal(dayOf(date), undefined, date);
  });
});
