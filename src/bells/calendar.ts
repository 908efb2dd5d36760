/** A day without a time zone, as the number of days since 1970-01-01. */
export type Day = number;

/** Number of days from 1 March of the year 0 to 1970-01-01. */
const firstOfMarchToEpoch = 719_468;

const daysOf400 = 146_097;
const daysOf4 = 1_461;

export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

export function dayOf(date: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))];
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const found = dayAt(year, month, day);
  return partsOf(found).date === day ? found : undefined;
}

/**
 * Returns the day of a date; `month` starts at 1, and days beyond the end of a month continue in the next
 * month. Faster than `Date`: a table of bells can contain thousands of days.
 */
export function dayAt(year: number, month: number, day: number): Day {
  const months = year * 12 + month - 3;
  const years = Math.floor(months / 12);
  const sinceMarch = months - years * 12;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leaps + Math.floor((153 * sinceMarch + 2) / 5) + day - 1 - firstOfMarchToEpoch;
}

export function dateOf(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

export function compactDateOf(day: Day): string {
  return dateOf(day).replaceAll('-', '');
}

/** `month` starts at 1. */
export function partsOf(day: Day): { readonly year: number; readonly month: number; readonly date: number } {
  const since = day + firstOfMarchToEpoch;
  const century = Math.floor((4 * since + 3) / daysOf400);
  const inCentury = since - Math.floor((century * daysOf400) / 4);
  const years = Math.floor((4 * inCentury + 3) / daysOf4);
  const inYear = inCentury - Math.floor((years * daysOf4) / 4);
  const sinceMarch = Math.floor((5 * inYear + 2) / 153);
  const isNextYear = sinceMarch >= 10;
  return {
    year: century * 100 + years + (isNextYear ? 1 : 0),
    month: sinceMarch + (isNextYear ? -9 : 3),
    date: inYear - Math.floor((153 * sinceMarch + 2) / 5) + 1,
  };
}

/** 0 is Monday; 1970-01-01 was a Thursday. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

export function daysIn(dates: unknown): Day[] {
  if (typeof dates !== 'string') return [];
  return dates.split(',').flatMap((date) => dayOf(date.trim()) ?? []);
}

/** Returns the first and the last of some days. */
export function spanOf(days: readonly Day[]): readonly [first: Day, last: Day] {
  let [first = 0, last = first] = days;
  for (const day of days) {
    if (day < first) first = day;
    if (day > last) last = day;
  }
  return [first, last];
}

export function datesOf(days: Iterable<Day>): string {
  return [...new Set(days)]
    .sort((a, b) => a - b)
    .map(dateOf)
    .join(',');
}

export function wholeTime(time: string): string {
  return time.length === 5 ? `${time}:00` : time;
}
