import type { Slices } from '../kernel/time/slices';
import { compactDateOf, type Day, dayAt, partsOf, weekdayOf } from './calendar';
import type { NthWeekday, Rule } from './rule';

/**
 * Maximum number of entries in BYDAY and BYMONTHDAY together with which a day counts as one step. Each
 * further entry adds one step for each day, since calculating the day takes longer.
 */
const maxListLength = 31;

const lastYear = 9_999;

/**
 * Yields the days of a rule in order, from `start` to `end` (both included), until `slices` has no steps
 * left. Leaves out dates that do not exist, such as 30 February.
 * @param skipTo first day that the caller needs; earlier days can be left out
 */
export async function* daysOf(
  start: Day,
  rule: Rule,
  end: Day,
  slices: Slices,
  skipTo: Day = start,
): AsyncGenerator<Day> {
  const last = Math.min(end, rule.until ?? end, dayAt(lastYear, 12, 31));
  const width = 1 + Math.max(0, rule.byDay.length + rule.byMonthDay.length - maxListLength);
  const periods = periodsOf(start, rule);
  const { interval } = rule;
  const skipped = rule.count === undefined ? periods.numberOf(Math.max(start, skipTo)) : 0;
  let count = 0;
  for (let number = skipped - (skipped % interval); periods.firstOf(number) <= last; number += interval) {
    if (slices.isOver) await slices.next();
    const days = periods.daysOf(number);
    if (!slices.take(width * Math.max(1, days.length))) return;
    for (const day of [...new Set(days)].sort((a, b) => a - b)) {
      if (day < start) continue;
      count += 1;
      if (day > last || count > (rule.count ?? Number.POSITIVE_INFINITY)) return;
      yield day;
    }
  }
}

/** The days, weeks, months or years of a rule. The period that contains its start has the number 0. */
interface Periods {
  numberOf(day: Day): number;
  firstOf(number: number): Day;
  /** Returns the days that the rule generates in a period, unsorted. */
  daysOf(number: number): readonly Day[];
}

function periodsOf(start: Day, rule: Rule): Periods {
  const { frequency, byDay } = rule;
  const { year, month, date } = partsOf(start);
  switch (frequency) {
    case 'DAILY':
      return {
        numberOf: (day) => day - start,
        firstOf: (number) => start + number,
        daysOf: (number) => [start + number].filter((day) => isNamed(rule, day)),
      };
    case 'WEEKLY': {
      const monday = start - weekdayOf(start);
      const weekdays = byDay.length > 0 ? byDay.map(({ weekday }) => weekday) : [weekdayOf(start)];
      return {
        numberOf: (day) => Math.floor((day - monday) / 7),
        firstOf: (number) => monday + 7 * number,
        daysOf: (number) =>
          weekdays.map((weekday) => monday + 7 * number + weekday).filter((day) => isInMonths(rule, day)),
      };
    }
    case 'MONTHLY':
      return {
        numberOf: (day) => 12 * (partsOf(day).year - year) + partsOf(day).month - month,
        firstOf: (number) => dayAt(year, month + number, 1),
        daysOf: (number) => {
          if (!isInMonths(rule, dayAt(year, month + number, 1))) return [];
          return positioned(daysOfMonth(rule, year, month + number, date), rule.bySetPos);
        },
      };
    case 'YEARLY':
      return {
        numberOf: (day) => partsOf(day).year - year,
        firstOf: (number) => dayAt(year + number, 1, 1),
        daysOf: (number) => daysOfYear(rule, year + number, month, date),
      };
  }
}

function isInMonths({ byMonth }: Rule, day: Day): boolean {
  return byMonth.length === 0 || byMonth.includes(partsOf(day).month);
}

/** Whether a daily rule generates a day. */
function isNamed(rule: Rule, day: Day): boolean {
  const { byDay, byMonthDay } = rule;
  if (!isInMonths(rule, day)) return false;
  if (byDay.length > 0 && !byDay.some(({ weekday }) => weekday === weekdayOf(day))) return false;
  return byMonthDay.length === 0 || isMonthDay(byMonthDay, day);
}

function isMonthDay(byMonthDay: readonly number[], day: Day): boolean {
  const { year, month, date } = partsOf(day);
  const length = partsOf(dayAt(year, month + 1, 1) - 1).date;
  return byMonthDay.some((named) => date === (named > 0 ? named : length + 1 + named));
}

/** Returns the days at the positions of BYSETPOS, which count within the whole month. */
function positioned(days: readonly Day[], bySetPos: readonly number[]): readonly Day[] {
  if (bySetPos.length === 0) return days;
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  return bySetPos.flatMap((position) => sorted.at(position > 0 ? position - 1 : position) ?? []);
}

function daysOfYear(rule: Rule, year: number, month: number, date: number): Day[] {
  if (rule.byMonth.length === 0 && isOfYear(rule)) {
    return weekdaysWithin(rule.byDay, dayAt(year, 1, 1), dayAt(year + 1, 1, 1));
  }
  const months = rule.byMonth.length > 0 ? new Set(rule.byMonth) : monthsOf(rule, month);
  return [...months].flatMap((one) => daysOfMonth(rule, year, one, date));
}

/** Whether the positions of weekdays count within the year, for a rule without months (RFC 5545, 3.3.10). */
function isOfYear({ byDay, byMonthDay }: Rule): boolean {
  return byDay.length > 0 && byMonthDay.length === 0;
}

function monthsOf({ byMonthDay }: Rule, month: number): readonly number[] {
  return byMonthDay.length > 0 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [month];
}

function daysOfMonth({ byDay, byMonthDay }: Rule, year: number, month: number, date: number): Day[] {
  const [begin, end] = [dayAt(year, month, 1), dayAt(year, month + 1, 1)];
  const dates = byMonthDay.map((named) => (named > 0 ? named : end - begin + 1 + named));
  const weekdays = new Set(weekdaysWithin(byDay, begin, end));
  if (dates.length === 0 && byDay.length > 0) return [...weekdays];
  return (dates.length === 0 ? [date] : dates)
    .map((one) => begin + one - 1)
    .filter((day) => day >= begin && day < end && (byDay.length === 0 || weekdays.has(day)));
}

function weekdaysWithin(byDay: readonly NthWeekday[], begin: Day, end: Day): Day[] {
  return byDay.flatMap(({ weekday, nth }) => {
    const first = begin + ((weekday - weekdayOf(begin) + 7) % 7);
    const all = Array.from({ length: Math.ceil((end - first) / 7) }, (_, index) => first + 7 * index);
    if (nth === 0) return all;
    return all.at(nth > 0 ? nth - 1 : nth) ?? [];
  });
}

export function untilOf(day: Day): string {
  return `;UNTIL=${compactDateOf(day)}`;
}
