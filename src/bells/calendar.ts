/** Days are counted from 1970-01-01; they have no time zone. */
export type Day = number;

const dayMs = 86_400_000;

/** A week from Monday on, as recurrence rules write it. */
export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** The day of a `YYYY-MM-DD`, or nothing when there is no such day. */
export function dayOf(date: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const day = dayAt(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)));
  return day !== undefined && dateOf(day) === date ? day : undefined;
}

/** The day of these numbers, the month from 1 on; one that does not exist is some other day, or nothing. */
export function dayAt(year: number, month: number, day: number): Day | undefined {
  const date = new Date(0);
  const ms = date.setUTCFullYear(year, month - 1, day);
  return Number.isNaN(ms) ? undefined : ms / dayMs;
}

/** `YYYY-MM-DD`. */
export function dateOf(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** `YYYYMMDD`, as recurrence rules write it. */
export function compactDateOf(day: Day): string {
  return dateOf(day).replaceAll('-', '');
}

/** Year, month from 1 on, and day of the month. */
export function partsOf(day: Day): { readonly year: number; readonly month: number; readonly date: number } {
  const date = new Date(day * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate() };
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
