import { LocalizedMessage } from '../../catalogue/localized-message';
import { weekdayCodes } from '../calendar';
import { type NthWeekday, type Rule, readRule } from '../rule';

/**
 * The last year whose clock changes are calculated. A later year uses the clock changes of an earlier year
 * with the same weekdays.
 */
export const lastYear = 2099;

/** Number of years that ical.js calculates beyond the requested year. */
const yearsAhead = 5;

const firstYear = 1970;

/**
 * Maximum number of clock changes of a zone, since ical.js keeps all changes in memory. No real zone has more
 * changes.
 */
const maxChanges = 2_000;

/**
 * The properties of a zone description that `plainZone` keeps in addition to RRULE, with the form of their
 * values. ical.js needs no other properties.
 */
const shapes: Readonly<Record<string, RegExp>> = {
  DTSTART: /^\d{8}T\d{6}Z?$/,
  TZOFFSETFROM: /^[+-]\d{4}(?:\d\d)?$/,
  TZOFFSETTO: /^[+-]\d{4}(?:\d\d)?$/,
  RDATE: /^\d{8}T\d{6}Z?$/,
};

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

interface Observance {
  readonly name: string;
  readonly lines: Map<string, string>;
  readonly rules: string[];
  readonly dates: string[];
}

/**
 * Rewrites the description of a zone in a minimal form. In other forms, ical.js could search forever for days
 * that do not exist.
 * @returns undefined if the description is empty, incomplete or unlike any real zone
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

/** Returns undefined if the rule does not generate exactly one day in each year. */
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
  // The last change before `firstYear` defines the time until the next change.
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

/** Whether a rule generates exactly one day in each year, such as a date or the last Sunday of a month. */
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

/**
 * Converts a negative day, which counts from the end of its month, to a positive day, since ical.js finds no
 * date for a negative day. A negative day of February stays unchanged, since the length of February varies.
 */
function fromTheFirst(day: number, month: number): number {
  return day > 0 || month === 2 ? day : day + 1 + (lengths[month - 1] ?? 0);
}
