import { type LocalizedMessage, localized } from '../catalogue/localized-message';
import { type Day, dayOf, weekdayCodes } from './calendar';

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

export function readRule(text: string): Rule | LocalizedMessage {
  const parts = new Map<string, string>();
  for (const part of text.slice(0, maxRuleLength).toUpperCase().split(';')) {
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
  return whyNot(rule, parts) ?? rule;
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

function whyNot(rule: Rule, parts: ReadonlyMap<string, string>): LocalizedMessage | undefined {
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
  const begin = parts.get('WKST');
  if (begin !== undefined && begin !== 'MO' && frequency === 'WEEKLY' && interval > 1) {
    return localized('weekBegins', { day: begin });
  }
  return undefined;
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
