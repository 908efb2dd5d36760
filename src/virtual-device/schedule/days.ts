/** Days are counted from 1970-01-01, all in the device's own time zone. */
export type Day = number;

const dayMs = 86_400_000;

/** The day of a `YYYY-MM-DD`, or nothing when there is no such day. */
export function dayOf(date: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(ms) || dateOf(ms / dayMs) !== date ? undefined : ms / dayMs;
}

/** `YYYY-MM-DD`. */
export function dateOf(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The day at a moment, in milliseconds since the epoch. */
export function dayAt(ms: number): Day {
  return Math.floor(ms / dayMs);
}

/** Milliseconds since the epoch at a time (`HH:MM` or `HH:MM:SS`) of a day. */
export function msAt(day: Day, time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return day * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** Weeks since 1970 began, from Monday to Sunday. */
export function weekOf(day: Day): number {
  return Math.floor((day + 3) / 7);
}

/** The Monday of a week. */
export function mondayOf(week: number): Day {
  return week * 7 - 3;
}

/** 0 is Monday. */
export function weekdayOf(day: Day): number {
  return day - mondayOf(weekOf(day));
}

/** Months since 1970 began. */
export function monthOf(day: Day): number {
  const date = new Date(day * dayMs);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first day of a month. */
export function firstOf(month: number): Day {
  return Date.UTC(1970, month, 1) / dayMs;
}
