/** A day as the number of days since 1970-01-01, in the device's time zone. */
export type Day = number;

const dayMs = 86_400_000;

const dateLength = 'YYYY-MM-DD'.length;

/**
 * Returns the day of a date of the form `YYYY-MM-DD`; undefined for an invalid date. Calculates without
 * `Date`, since a schedule can have hundreds of thousands of dates.
 */
export function dayOf(date: string): Day | undefined {
  if (date.length !== dateLength || date[4] !== '-' || date[7] !== '-') return undefined;
  const [year, month, day] = [numberAt(date, 0, 4), numberAt(date, 5, 7), numberAt(date, 8, 10)];
  if (!(month >= 1 && month <= 12 && day >= 1)) return undefined;
  const index = (year - 1970) * 12 + month - 1;
  const found = firstOf(index) + day - 1;
  return found < firstOf(index + 1) ? found : undefined;
}

/** Returns the number in a text from `start` to `end` (excluded); NaN if a character there is not a digit. */
function numberAt(text: string, start: number, end: number): number {
  let number = 0;
  for (let index = start; index < end; index += 1) {
    const digit = text.charCodeAt(index) - zero;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN;
  }
  return number;
}

const zero = '0'.charCodeAt(0);

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
  let month = Math.floor(day / meanMonth);
  while (firstOf(month) > day) month -= 1;
  while (firstOf(month + 1) <= day) month += 1;
  return month;
}

/** Mean number of days in a month. */
const meanMonth = 30.436_875;

/** Number of months after which the calendar repeats, and number of days in these months. */
const cycleMonths = 4800;
const cycleDays = 146_097;

/** The first days of the months of one cycle, from the start of 1970. */
const monthStarts = Int32Array.from({ length: cycleMonths }, (_, month) => Date.UTC(1970, month, 1) / dayMs);

/** Returns the first day of a month, given as the number of months since the start of 1970. */
export function firstOf(month: number): Day {
  const cycle = Math.floor(month / cycleMonths);
  return (monthStarts[month - cycle * cycleMonths] ?? 0) + cycle * cycleDays;
}
