/** Days are counted from 1970-01-01; they have no time zone. */
export type Day = number;

/** Days from 1 March of the year 0 to 1970. */
const firstOfMarchToEpoch = 719_468;

const daysOf400 = 146_097;
const daysOf4 = 1_461;

/** A week from Monday on, as recurrence rules write it. */
export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** The day of a `YYYY-MM-DD`, or nothing when there is no such day. */
export function dayOf(date: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))];
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const found = dayAt(year, month, day);
  return partsOf(found).date === day ? found : undefined;
}

/**
 * The day of these numbers, the month from 1 on; one that does not exist is some days later. By arithmetic, since a
 * table of bells names thousands of days and a Date costs much more: years are counted from March on, so that the
 * day that only some of them have is their last.
 */
export function dayAt(year: number, month: number, day: number): Day {
  const months = year * 12 + month - 3;
  const years = Math.floor(months / 12);
  const sinceMarch = months - years * 12;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leaps + Math.floor((153 * sinceMarch + 2) / 5) + day - 1 - firstOfMarchToEpoch;
}

/** `YYYY-MM-DD`. */
export function dateOf(day: Day): string {
  const { year, month, date } = partsOf(day);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

/** `YYYYMMDD`, as recurrence rules write it. */
export function compactDateOf(day: Day): string {
  return dateOf(day).replaceAll('-', '');
}

/** Year, month from 1 on, and day of the month. */
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

/** 0 is Monday. 1970 began on a Thursday. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** The days that a comma-separated text of the device names. */
export function daysIn(dates: unknown): Day[] {
  if (typeof dates !== 'string') return [];
  return dates.split(',').flatMap((date) => dayOf(date.trim()) ?? []);
}

/** Days as the device writes them: in order, with commas between them. */
export function datesOf(days: Iterable<Day>): string {
  return [...new Set(days)]
    .sort((a, b) => a - b)
    .map(dateOf)
    .join(',');
}

/** `HH:MM:SS` of a time with or without seconds. */
export function wholeTime(time: string): string {
  return time.length === 5 ? `${time}:00` : time;
}
