import assert from 'node:assert/strict';
import { dateOf, dayOf } from '../../../src/virtual-device/schedule/days';
import { dayTestOf } from '../../../src/virtual-device/schedule/recurrence';
import { refuseRule } from '../../../src/virtual-device/schedule/rule';
import { lookUntil, recurrences } from '../../fixtures/recurrences';

/** All dates from one to another on which something happens. */
function occurrences(recurrence: object, from: string, to: string): string[] {
  const found: string[] = [];
  const [first = 0, last = -1] = [dayOf(from), dayOf(to)];
  const isOn = dayTestOf(recurrence);
  for (let day = first; day <= last; day += 1) if (isOn(day)) found.push(dateOf(day));
  return found;
}

/** Looked at long after their start. */
const longAgo: readonly [what: string, recurrence: object, from: string, to: string, dates: string][] = [
  [
    'so many days',
    { start_date: '1970-01-01', rrule: 'FREQ=DAILY;COUNT=18534' },
    '2020-09-27',
    '2020-09-30',
    '2020-09-27 2020-09-28',
  ],
  [
    'so many weekends, of every third day',
    { start_date: '1970-01-02', rrule: 'FREQ=DAILY;INTERVAL=3;BYDAY=SA,SU;COUNT=5' },
    '1970-01-01',
    '1971-01-01',
    '1970-01-11 1970-01-17 1970-02-01 1970-02-07 1970-02-22',
  ],
  [
    'so many weeks',
    { start_date: '1970-01-01', rrule: 'FREQ=WEEKLY;COUNT=2649' },
    '2020-09-20',
    '2020-10-31',
    '2020-09-24 2020-10-01',
  ],
  [
    'so many long months',
    { start_date: '1970-01-31', rrule: 'FREQ=MONTHLY;COUNT=355' },
    '2020-06-01',
    '2020-12-31',
    '2020-07-31 2020-08-31',
  ],
  [
    'so many months since centuries',
    { start_date: '1601-01-01', rrule: 'FREQ=MONTHLY;COUNT=5000' },
    '2017-07-01',
    '2017-12-31',
    '2017-07-01 2017-08-01',
  ],
  [
    'so many leap days',
    { start_date: '1972-02-29', rrule: 'FREQ=YEARLY;COUNT=13' },
    '2016-01-01',
    '2028-12-31',
    '2016-02-29 2020-02-29',
  ],
];

describe('recurrence of schedules (section 2.6a)', () => {
  for (const [what, start_date, rrule, dates] of recurrences)
    it(what, () => {
      // A day before the start has nothing.
      const before = dateOf((dayOf(start_date) ?? 0) - 10);
      assert.equal(occurrences({ start_date, rrule }, before, lookUntil(rrule, dates)).join(' '), dates);
    });

  for (const [what, recurrence, from, to, dates] of longAgo)
    it(`${what} since long ago`, () => assert.equal(occurrences(recurrence, from, to).join(' '), dates));

  it('no rule, with extra and excluded dates', () => {
    const once = { start_date: '2020-09-28', rrule: '' };
    const dates = (more: object) => occurrences({ ...once, ...more }, '2020-09-20', '2020-10-20').join(' ');
    assert.equal(dates({}), '2020-09-28');
    assert.equal(dates({ rdate: '2020-10-01,2020-10-02', exdate: '2020-10-02' }), '2020-09-28 2020-10-01');
    assert.equal(
      dates({ rrule: 'FREQ=WEEKLY', rdate: '2020-10-01,2020-10-02', exdate: '2020-10-02,2020-10-05' }),
      '2020-09-28 2020-10-01 2020-10-12 2020-10-19',
    );
  });

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
