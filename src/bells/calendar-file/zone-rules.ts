import { LocalizedMessage } from '../../catalogue/localized-message';
import { weekdayCodes } from '../calendar';
import { type NthWeekday, type Rule, readRule } from '../rule';

/** Clocks are looked up until this year; what comes later is as in an earlier year with the same weekdays. */
export const lastYear = 2099;

/** The library looks so many years farther than it was asked. */
const yearsAhead = 5;

/** No entry that anybody imports is earlier. */
const firstYear = 1970;

/** More changes than any zone's clocks have had. The library holds each of them. */
const maxChanges = 2_000;

/** What the library needs of a description; whatever else is written there it never sees. */
const shapes: Readonly<Record<string, RegExp>> = {
  DTSTART: /^\d{8}T\d{6}Z?$/,
  TZOFFSETFROM: /^[+-]\d{4}(?:\d\d)?$/,
  TZOFFSETTO: /^[+-]\d{4}(?:\d\d)?$/,
  RDATE: /^\d{8}T\d{6}Z?$/,
};

/** The days of a month that every year has. */
const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** One way in which a zone's clocks go, and when they begin to. */
interface Observance {
  readonly name: string;
  readonly lines: Map<string, string>;
  readonly rules: string[];
  readonly dates: string[];
}

/**
 * A zone's description, in our own words and as short as can be: the library looks for the days of a rule for as long
 * as it takes, and what it is given here takes a bounded number of steps.
 * @returns nothing where it says what no zone's description says
 */
export function plainZone(text: readonly string[]): string[] | undefined {
  const observances = observancesIn(text);
  const lines: string[] = [];
  let changes = 0;
  for (const { name, lines: own, rules, dates } of observances) {
    const [start, from, to] = ['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO'].map((line) => own.get(line));
    if (start === undefined || from === undefined || to === undefined || rules.length > 1) return undefined;
    const [written] = rules;
    const rule = written === undefined ? undefined : plainRule(written, start);
    if (written !== undefined && !rule) return undefined;
    changes += Math.max(1, dates.length) + (rule?.changes ?? 0);
    if (changes > maxChanges || ![start, from, to, ...dates].every((value) => value !== '')) return undefined;
    lines.push(`BEGIN:${name}`, `DTSTART:${rule?.start ?? start}`);
    lines.push(`TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`);
    for (const date of dates) lines.push(`RDATE:${date}`);
    if (rule) lines.push(`RRULE:${rule.text}`);
    lines.push(`END:${name}`);
  }
  if (lines.length === 0) return undefined;
  return ['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'];
}

/** What is not written as it should be is empty. */
function observancesIn(text: readonly string[]): Observance[] {
  const found: Observance[] = [];
  let current: Observance | undefined;
  for (const line of text) {
    const value = line
      .slice(line.lastIndexOf(':') + 1)
      .trim()
      .toUpperCase();
    const name = (/^[A-Za-z0-9-]+/.exec(line)?.[0] ?? '').toUpperCase();
    if (name === 'BEGIN' && (value === 'STANDARD' || value === 'DAYLIGHT')) {
      current = { name: value, lines: new Map(), rules: [], dates: [] };
      found.push(current);
    } else if (name === 'END') current = undefined;
    else if (name === 'RRULE') current?.rules.push(value);
    else if (name === 'RDATE') {
      for (const date of value.split(',')) current?.dates.push(shapes.RDATE?.test(date) ? date : '');
    } else if (Object.hasOwn(shapes, name) && !current?.lines.has(name)) {
      current?.lines.set(name, shapes[name]?.test(value) ? value : '');
    }
  }
  return found;
}

/** A rule with a day in each year, and a beginning from which on it matters; nothing where it is another one. */
function plainRule(
  written: string,
  start: string,
): { readonly text: string; readonly start: string; readonly changes: number } | undefined {
  const rule = readRule(written);
  if (rule instanceof LocalizedMessage) return undefined;
  const monthDays = rule.byMonthDay.map((day) => fromTheFirst(day, rule.byMonth[0] ?? 0));
  if (!isYearly({ ...rule, byMonthDay: monthDays }, Number(start.slice(6, 8)))) return undefined;
  const until = /(?:^|;)UNTIL=(\d{8}(?:T\d{6}Z?)?)(?:;|$)/.exec(written)?.[1];
  const startYear = Number(start.slice(0, 4));
  const untilYear = Number(until?.slice(0, 4) ?? lastYear);
  // The change before the first that matters is the one that holds until then.
  const since = Math.max(startYear, Math.min(firstYear, untilYear) - 2);
  const days = rule.byDay.map(({ weekday, nth }) => `${nth === 0 ? '' : nth}${weekdayCodes[weekday]}`);
  const parts = [
    `FREQ=YEARLY;BYMONTH=${rule.byMonth[0]}`,
    ...(days.length > 0 ? [`BYDAY=${days}`] : []),
    ...(monthDays.length > 0 ? [`BYMONTHDAY=${monthDays}`] : []),
    ...(until === undefined ? [] : [`UNTIL=${until}`]),
  ];
  const changes = Math.max(0, Math.min(untilYear, lastYear) + yearsAhead - since + 1);
  return { text: parts.join(';'), start: `${String(since).padStart(4, '0')}${start.slice(4)}`, changes };
}

/** One day of each year: the second Sunday, the last one, the Sunday within seven days, or a date. */
function isYearly(rule: Rule, startDay: number): boolean {
  const { frequency, interval, count, byDay, byMonth, byMonthDay, bySetPos } = rule;
  const [month = 0] = byMonth;
  const maxLength = lengths[month - 1];
  if (frequency !== 'YEARLY' || interval !== 1 || count !== undefined) return false;
  if (byMonth.length !== 1 || maxLength === undefined || bySetPos.length > 0 || byDay.length > 1)
    return false;
  const [weekday] = byDay;
  if (byMonthDay.some((day) => day < 1 || day > maxLength)) return false;
  if (weekday) return isEachYear(weekday, byMonthDay);
  return byMonthDay.length === 1 || (byMonthDay.length === 0 && startDay >= 1 && startDay <= maxLength);
}

function isEachYear({ nth }: NthWeekday, monthDays: readonly number[]): boolean {
  if (monthDays.length === 0) return nth !== 0 && Math.abs(nth) <= 4;
  const weekdays = new Set(monthDays.map((day) => day % 7));
  return nth === 0 && monthDays.length === 7 && weekdays.size === 7;
}

/** A day that is counted from the end of its month, which the library finds in no year; of February's there is none. */
function fromTheFirst(day: number, month: number): number {
  return day > 0 || month === 2 ? day : day + 1 + (lengths[month - 1] ?? 0);
}
