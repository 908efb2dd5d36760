import { compactDateOf, type Day, dateOf, dayAt, partsOf, weekdayCodes, weekdayOf } from './calendar';
import { ical } from './ical';
import type { NthWeekday, Rule } from './rule';
import type { Slices } from './slices';

/**
 * A step of ical.js counts as 1 with up to this number of entries in BYDAY and BYMONTHDAY. Each further entry
 * adds 1, since the step takes longer.
 */
const maxListLength = 31;

/**
 * Yields the existing days of a rule in order, from `start` to `end` (both included), until `slices` has no
 * steps left. This file applies counts, ends and filters, since ical.js would search forever for days that do
 * not exist. This file also calculates yearly rules, since ical.js calculates `BYDAY=45SU` and 29 February
 * wrongly.
 * @param skipTo first day that the caller needs; earlier days can be left out
 */
export async function* daysOf(
  start: Day,
  rule: Rule,
  end: Day,
  slices: Slices,
  skipTo: Day = start,
): AsyncGenerator<Day> {
  const last = Math.min(end, rule.until ?? Number.POSITIVE_INFINITY);
  let count = 0;
  const candidates = rule.frequency === 'YEARLY' ? yearly : rule.bySetPos.length > 0 ? byPosition : byLibrary;
  const from = rule.count === undefined ? forward(start, rule, skipTo) : start;
  for await (const day of candidates(from, rule, last, slices)) {
    if (day < start) continue;
    count += 1;
    if (day > last || count > (rule.count ?? Number.POSITIVE_INFINITY)) return;
    yield day;
  }
}

/**
 * Moves the start of a daily or weekly rule by whole intervals, to avoid steps through years of past days.
 */
function forward(start: Day, { frequency, interval }: Rule, to: Day): Day {
  const step = frequency === 'DAILY' ? interval : frequency === 'WEEKLY' ? 7 * interval : 0;
  return step === 0 ? start : start + step * Math.max(0, Math.floor((to - start) / step) - 1);
}

async function* byLibrary(start: Day, rule: Rule, last: Day, slices: Slices): AsyncGenerator<Day> {
  const { Recur, Time } = await ical();
  const steps = Recur.fromString(textOf(rule)).iterator(Time.fromDateString(dateOf(start)));
  const width = 1 + Math.max(0, rule.byDay.length + rule.byMonthDay.length - maxListLength);
  while (slices.take(width)) {
    if (slices.isOver) await slices.next();
    const time = steps.next();
    const day = time ? dayAt(time.year, time.month, time.day) : undefined;
    if (day === undefined || day > last) return;
    if (isWithin(rule, day)) yield day;
  }
}

/**
 * Yields the days at the positions of BYSETPOS. The positions count within the whole month; in the first
 * month, ical.js would ignore the days before the start.
 */
async function* byPosition(start: Day, rule: Rule, last: Day, slices: Slices): AsyncGenerator<Day> {
  const whole = { ...rule, bySetPos: [] };
  let days: Day[] = [];
  for await (const day of byLibrary(firstOfMonth(start, 0), whole, firstOfMonth(last, 1) - 1, slices)) {
    const [before = day] = days;
    if (firstOfMonth(before, 0) !== firstOfMonth(day, 0)) {
      yield* positioned(days, rule.bySetPos);
      days = [];
    }
    days.push(day);
  }
  yield* positioned(days, rule.bySetPos);
}

function positioned(days: readonly Day[], bySetPos: readonly number[]): Day[] {
  const chosen = bySetPos.flatMap((position) => days.at(position > 0 ? position - 1 : position) ?? []);
  return [...new Set(chosen)].sort((a, b) => a - b);
}

function firstOfMonth(day: Day, later: number): Day {
  const { year, month } = partsOf(day);
  return dayAt(year, month + later, 1) ?? day;
}

function textOf({ frequency, interval, byDay, byMonthDay }: Rule): string {
  const codes = byDay.map(({ weekday, nth }) => `${nth === 0 ? '' : nth}${weekdayCodes[weekday]}`);
  const isMonthly = frequency === 'MONTHLY';
  return [
    `FREQ=${frequency}`,
    `INTERVAL=${interval}`,
    ...(codes.length > 0 && frequency !== 'DAILY' ? [`BYDAY=${codes.join(',')}`] : []),
    ...(byMonthDay.length > 0 && isMonthly ? [`BYMONTHDAY=${byMonthDay.join(',')}`] : []),
    'WKST=MO',
  ].join(';');
}

/** Whether a day passes the filters that `textOf` does not give to ical.js. */
function isWithin({ frequency, byDay, byMonth, byMonthDay }: Rule, day: Day): boolean {
  const { month } = partsOf(day);
  if (byMonth.length > 0 && !byMonth.includes(month)) return false;
  if (frequency !== 'DAILY') return true;
  if (byDay.length > 0 && !byDay.some(({ weekday }) => weekday === weekdayOf(day))) return false;
  return byMonthDay.length === 0 || isMonthDay(byMonthDay, day);
}

function isMonthDay(byMonthDay: readonly number[], day: Day): boolean {
  const { year, month, date } = partsOf(day);
  const length = partsOf((dayAt(year, month + 1, 1) ?? 0) - 1).date;
  return byMonthDay.some((named) => date === (named > 0 ? named : length + 1 + named));
}

async function* yearly(start: Day, rule: Rule, last: Day, slices: Slices): AsyncGenerator<Day> {
  const first = partsOf(start);
  for (let year = first.year; year < 10_000; year += rule.interval) {
    if (slices.isOver) await slices.next();
    const begin = dayAt(year, 1, 1) ?? 0;
    if (begin > last) return;
    const months =
      rule.byMonth.length > 0 ? rule.byMonth : isOfYear(rule) ? undefined : monthsOf(rule, first.month);
    const days = months
      ? months.flatMap((month) => daysOfMonth(rule, year, month, first.date))
      : weekdaysWithin(rule.byDay, begin, dayAt(year + 1, 1, 1) ?? 0);
    if (!slices.take(1 + days.length)) return;
    yield* [...new Set(days)].sort((a, b) => a - b);
  }
}

/** Whether the positions of weekdays count within the year, for a rule without months (RFC 5545, 3.3.10). */
function isOfYear({ byDay, byMonthDay }: Rule): boolean {
  return byDay.length > 0 && byMonthDay.length === 0;
}

function monthsOf({ byMonthDay }: Rule, month: number): readonly number[] {
  return byMonthDay.length > 0 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [month];
}

function daysOfMonth({ byDay, byMonthDay }: Rule, year: number, month: number, date: number): Day[] {
  const [begin, end] = [dayAt(year, month, 1) ?? 0, dayAt(year, month + 1, 1) ?? 0];
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
