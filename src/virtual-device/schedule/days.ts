/** A day as the number of days since 1970-01-01, in the device's time zone. */
export type Day = number;

const dayMs = 86_400_000;

/** Returns the day of a date of the form `YYYY-MM-DD`; undefined for an invalid date. */
export function dayOf(date: string): Day | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
  const day = Date.parse(date) / dayMs;
  // `Date` accepts February 30 as March 2.
  return Number.isNaN(day) || dateOf(day) !== date ? undefined : day;
}

export function dateOf(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Returns the day of a time in epoch milliseconds. */
export function dayAt(ms: number): Day {
  return Math.floor(ms / dayMs);
}

/** Returns the epoch milliseconds of a day and a time (`HH:MM` or `HH:MM:SS`). */
export function msAt(day: Day, time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return day * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** Returns the number of a week that starts on Monday; week 0 contains 1970-01-01. */
export function weekOf(day: Day): number {
  return Math.floor((day + 3) / 7);
}

export function mondayOf(week: number): Day {
  return week * 7 - 3;
}

/** Returns the weekday; 0 is Monday. */
export function weekdayOf(day: Day): number {
  return day - mondayOf(weekOf(day));
}

/** Returns the number of months since the start of 1970. */
export function monthOf(day: Day): number {
  const date = new Date(day * dayMs);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** Returns the first day of a month, given as the number of months since the start of 1970. */
export function firstOf(month: number): Day {
  return Date.UTC(1970, month, 1) / dayMs;
}
