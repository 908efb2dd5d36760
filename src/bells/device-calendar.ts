import { type LocalizedMessage, localized } from '../catalogue/localized-message';
import { isRecord } from '../json';
import { type Day, dateOf, dayOf } from './calendar';
import type { Calendar, Instance } from './preview';

/**
 * Maximum number of entries in all responses together: 540 bells on each day of a year. Without the limit,
 * hundreds of responses could fill the memory.
 */
const maxEntries = 200_000;

const maxMebibytes = 48;

/** Estimated memory of a value without its text, in bytes. */
const valueBytes = 16;

/** The days of a device's calendar, collected from one or more responses. */
export class DeviceCalendar {
  readonly #days: Record<string, readonly Instance[]> = {};
  #entries = 0;
  #bytes = 0;

  get days(): Calendar {
    return this.#days;
  }

  /**
   * Adds the requested days of a response. Other days of the response are left out.
   * @param from first requested day; undefined for today, by the device's clock
   * @param count number of requested days
   * @returns the reason if the response is not a calendar, or if the calendar is too large
   */
  add(response: unknown, from: Day | undefined, count: number): LocalizedMessage | undefined {
    const calendar = isRecord(response) ? response.events : undefined;
    if (!isRecord(calendar)) return localized('calendarUnreadable');
    for (const date of from === undefined ? firstDates(calendar, count) : datesFrom(from, count)) {
      const entries = calendar[date] ?? [];
      if (!Array.isArray(entries)) return localized('calendarUnreadable');
      if (calendar[date] === undefined) continue;
      const kept = entries.filter(isRecord);
      this.#entries += kept.length;
      for (const entry of kept) this.#bytes += bytesOf(entry);
      if (this.#entries > maxEntries || this.#bytes > maxMebibytes * 1024 * 1024) {
        return localized('calendarTooLarge', { count: String(maxEntries), size: `${maxMebibytes} MiB` });
      }
      this.#days[date] = kept as unknown as readonly Instance[];
    }
    return undefined;
  }
}

function firstDates(calendar: Readonly<Record<string, unknown>>, count: number): string[] {
  const dates = Object.keys(calendar).filter((key) => dayOf(key) !== undefined);
  return dates.sort().slice(0, count);
}

function datesFrom(first: Day, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dateOf(first + index));
}

/** Returns the estimated memory of a value in bytes. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return valueBytes + value.length;
  let bytes = valueBytes;
  if (Array.isArray(value)) for (const one of value) bytes += bytesOf(one);
  else if (isRecord(value)) for (const name in value) bytes += name.length + bytesOf(value[name]);
  return bytes;
}
