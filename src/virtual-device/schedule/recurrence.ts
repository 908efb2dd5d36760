import { type Day, dayOf, firstOf, mondayOf, monthOf, weekdayOf, weekOf } from './days';
import { type Rule, readRule } from './rule';

/** A recurrence. A date has the form `YYYY-MM-DD`; several dates are comma-separated. */
export interface Recurrence {
  readonly start_date?: string | undefined;
  readonly rrule?: string | undefined;
  readonly rdate?: string | undefined;
  readonly exdate?: string | undefined;
}

/** Whether an event takes place on a day. */
export type DayTest = (day: Day) => boolean;

/**
 * Returns the test of a day: the rule or `rdate` includes the day, and the `exdate` of `exceptions` does not
 * exclude the day. The rule must have passed `refuseRule`.
 */
export function dayTestOf(recurrence: Recurrence, exceptions: Recurrence = recurrence): DayTest {
  const extra = daysIn(recurrence.rdate);
  const excluded = daysIn(exceptions.exdate);
  const follows = ruleTestOf(recurrence);
  return (day) => (extra.has(day) || follows(day)) && !excluded.has(day);
}

function daysIn(dates = ''): ReadonlySet<Day | undefined> {
  return new Set(dates === '' ? [] : dates.split(',').map(dayOf));
}

function ruleTestOf({ start_date = '', rrule }: Recurrence): DayTest {
  const start = dayOf(start_date);
  if (start === undefined) return () => false;
  if (!rrule) return (day) => day === start;
  const { count, until = Number.POSITIVE_INFINITY, ...rhythm } = readRule(rrule);
  const selects = selectionOf(rhythm, start);
  const isCounted = count === undefined ? () => true : countDays(selects, start, count);
  return (day) => day >= start && day <= until && selects(day) && isCounted(day);
}

/** Returns the test of the first `count` days that a rule selects. It counts each day once, for all calls. */
function countDays(selects: DayTest, start: Day, count: number): DayTest {
  let day = start;
  let last = start - 1;
  let found = 0;
  return (asked) => {
    for (; day <= asked && found < count; day += 1) {
      if (!selects(day)) continue;
      found += 1;
      last = day;
    }
    return asked <= last;
  };
}

type Rhythm = Omit<Rule, 'count' | 'until'>;

/** Returns the test of a day by frequency, interval and weekdays. */
function selectionOf({ frequency, interval, byDay }: Rhythm, start: Day): DayTest {
  // A yearly rule without weekdays is the same as a monthly rule with an interval of twelve.
  if (frequency === 'YEARLY' && byDay.length === 0)
    return selectionOf({ frequency: 'MONTHLY', interval: interval * 12, byDay }, start);
  const periodOf = periods[frequency];
  const origin = periodOf(start);
  return (day) => {
    const { index, first, end } = periodOf(day);
    if ((index - origin.index) % interval !== 0) return false;
    if (byDay.length === 0) return day - first === start - origin.first;
    const fromStart = Math.floor((day - first) / 7) + 1;
    const fromEnd = -Math.floor((end - 1 - day) / 7) - 1;
    return byDay.some(
      ({ weekday, nth }) => weekday === weekdayOf(day) && [0, fromStart, fromEnd].includes(nth),
    );
  };
}

/** The day, week, month or year that contains a day. */
interface Period {
  /** Number of the period since 1970. */
  readonly index: number;
  readonly first: Day;
  /** The day after the last day. */
  readonly end: Day;
}

const periods: Readonly<Record<Rule['frequency'], (day: Day) => Period>> = {
  DAILY: (day) => ({ index: day, first: day, end: day + 1 }),
  WEEKLY(day) {
    const week = weekOf(day);
    return { index: week, first: mondayOf(week), end: mondayOf(week + 1) };
  },
  MONTHLY(day) {
    const month = monthOf(day);
    return { index: month, first: firstOf(month), end: firstOf(month + 1) };
  },
  YEARLY(day) {
    const year = Math.floor(monthOf(day) / 12);
    return { index: year, first: firstOf(year * 12), end: firstOf(year * 12 + 12) };
  },
};
