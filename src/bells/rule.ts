import { type LocalizedMessage, localized } from '../catalogue/localized-message';
import { type Day, dayOf, weekdayCodes, weekdayOf } from './calendar';

export interface NthWeekday {
  readonly weekday: number;
  /** Position in the month or year, counted from the end if negative; 0 means every position. */
  readonly nth: number;
}

/** A recurrence rule for days (RFC 5545, 3.3.10), limited to the parts that this package supports. */
export interface Rule {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  readonly count?: number | undefined;
  readonly until?: Day | undefined;
  readonly byDay: readonly NthWeekday[];
  readonly byMonthDay: readonly number[];
  readonly byMonth: readonly number[];
  readonly bySetPos: readonly number[];
}

const components: Readonly<Record<string, RegExp>> = {
  FREQ: /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^\d{1,4}$/,
  COUNT: /^\d{1,5}$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  BYDAY: /^[+-]?\d{0,2}[A-Z]{2}(?:,[+-]?\d{0,2}[A-Z]{2})*$/,
  BYMONTHDAY: /^[+-]?\d{1,2}(?:,[+-]?\d{1,2})*$/,
  BYMONTH: /^\d{1,2}(?:,\d{1,2})*$/,
  BYSETPOS: /^[+-]?\d{1,3}(?:,[+-]?\d{1,3})*$/,
  WKST: /^[A-Z]{2}$/,
};

/** Maximum length of a rule that is read, in characters. */
export const maxRuleLength = 2_000;

/**
 * Reads a rule. Blanks in it have no meaning.
 * @param start first day of the series; if it is undefined, a rule whose weeks do not begin on Monday is rejected
 * where the beginning could change its days
 */
export function readRule(text: string, start?: Day): Rule | LocalizedMessage {
  const parts = new Map<string, string>();
  for (const part of text.slice(0, maxRuleLength).replace(/\s/g, '').toUpperCase().split(';')) {
    if (part === '') continue;
    const [name = '', value = ''] = part.split('=');
    if (!Object.hasOwn(components, name)) return localized('rulePart', { name: name.slice(0, 20) });
    if (!components[name]?.test(value)) return localized('rulePartUnreadable', { name });
    parts.set(name, value);
  }
  const frequency = parts.get('FREQ');
  if (frequency === undefined) return localized('ruleNoFreq');
  const rule: Rule = {
    frequency: frequency as Rule['frequency'],
    interval: Number(parts.get('INTERVAL') ?? 1),
    count: parts.has('COUNT') ? Number(parts.get('COUNT')) : undefined,
    until: dayOfCompact(parts.get('UNTIL')),
    byDay: listed(parts.get('BYDAY')).map(readWeekday),
    byMonthDay: listed(parts.get('BYMONTHDAY')).map(Number),
    byMonth: listed(parts.get('BYMONTH')).map(Number),
    bySetPos: listed(parts.get('BYSETPOS')).map(Number),
  };
  const plain = withoutPositions(rule);
  return whyNot(plain, parts.get('WKST'), start) ?? plain;
}

/** Writes the position of a single weekday before the weekday: the last Friday is `-1FR`. */
function withoutPositions(rule: Rule): Rule {
  const { frequency, byDay, byMonthDay, byMonth, bySetPos } = rule;
  const [only] = byDay;
  const isOfOnePeriod = frequency === 'MONTHLY' || (frequency === 'YEARLY' && byMonth.length <= 1);
  if (bySetPos.length === 0 || byDay.length !== 1 || !only || only.nth !== 0) return rule;
  if (!isOfOnePeriod || byMonthDay.length > 0) return rule;
  return { ...rule, byDay: bySetPos.map((nth) => ({ ...only, nth })), bySetPos: [] };
}

/** Returns FREQ, INTERVAL and BYDAY of a rule as text for the device; the caller adds UNTIL. */
export function deviceRuleOf({ frequency, interval, byDay }: Rule): string {
  const codes = byDay.map(({ weekday, nth }) => `${nth === 0 ? '' : nth}${weekdayCodes[weekday]}`);
  return [
    `FREQ=${frequency}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...(codes.length > 0 ? [`BYDAY=${codes.join(',')}`] : []),
  ].join(';');
}

function whyNot(
  rule: Rule,
  weekStart: string | undefined,
  start: Day | undefined,
): LocalizedMessage | undefined {
  const { frequency, interval, byDay, byMonthDay, bySetPos } = rule;
  if (interval === 0) return localized('ruleNoInterval');
  if (byDay.some(({ weekday }) => weekday < 0)) return localized('rulePartUnreadable', { name: 'BYDAY' });
  if (byMonthDay.some((day) => day === 0 || Math.abs(day) > 31)) return localized('ruleNoMonthDay');
  const isNumbered = byDay.some(({ nth }) => nth !== 0);
  if (isNumbered && (frequency === 'DAILY' || frequency === 'WEEKLY')) {
    return localized('ruleNumbers', { frequency });
  }
  if (bySetPos.length > 0 && frequency !== 'MONTHLY') return localized('ruleSetPos');
  if (frequency === 'WEEKLY' && byMonthDay.length > 0) return localized('ruleMonthDayOfWeek');
  if (bySetPos.length > 0 && byDay.length + byMonthDay.length === 0) {
    return localized('ruleSetPosOfNone');
  }
  if (weekStart !== undefined && weekStartMatters(rule, weekStart, start))
    return localized('weekBegins', { day: weekStart });
  return undefined;
}

/** Whether a rule would have other days if its weeks began on Monday. */
function weekStartMatters(
  { frequency, interval, byDay }: Rule,
  weekStart: string,
  start: Day | undefined,
): boolean {
  const begin = (weekdayCodes as readonly string[]).indexOf(weekStart);
  if (begin === 0 || frequency !== 'WEEKLY' || interval < 2) return false;
  if (begin < 0 || start === undefined) return true;
  const first = weekdayOf(start);
  // The weekday before `begin` is the last one of its week, but Sunday is the last one after Monday.
  const isBefore = (weekday: number) => weekday < begin;
  return byDay.some(({ weekday }) => isBefore(weekday) !== isBefore(first));
}

/**
 * Returns the day of a text that starts with `YYYYMMDD`; undefined if the text is undefined, minus infinity
 * if the date is invalid.
 */
function dayOfCompact(text: string | undefined): Day | undefined {
  if (text === undefined) return undefined;
  return dayOf(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`) ?? Number.NEGATIVE_INFINITY;
}

function listed(value: string | undefined): string[] {
  return value === undefined ? [] : value.split(',');
}

function readWeekday(written: string): NthWeekday {
  const code = written.slice(-2);
  return {
    weekday: (weekdayCodes as readonly string[]).indexOf(code),
    nth: Number(written.slice(0, -2) || 0),
  };
}
