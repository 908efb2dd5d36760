import { allEvents, byTime, type Database, happeningTest, type PlacedEvent } from './database';
import { type Day, dateOf, dayAt, msAt } from './days';
import type { DayTest } from './recurrence';

export interface Upcoming {
  readonly place: PlacedEvent;
  readonly at: number;
}

/** Number of days in which `next` searches for an event. */
export const horizonDays = 8;

interface Row {
  readonly place: PlacedEvent;
  /** Milliseconds since midnight. */
  readonly time: number;
  readonly happensOn: DayTest;
}

export class Timetable {
  readonly database: Database;
  readonly #rows: readonly Row[];
  /** Cache: the last result of `next`, with the period in which the result is valid. */
  #found: { readonly next: Upcoming | undefined; readonly from: number; readonly until: number } | undefined;

  constructor(database: Database) {
    this.database = database;
    this.#rows = byTime(allEvents(database)).map((place) => ({
      place,
      time: msAt(0, place.event.fields.start_time ?? '00:00'),
      happensOn: happeningTest(place),
    }));
  }

  get eventCount(): number {
    return this.#rows.length;
  }

  on(day: Day): readonly PlacedEvent[] {
    const date = dateOf(day);
    return this.#rows.filter((row) => isListed(row, day, date)).map(({ place }) => place);
  }

  /**
   * Returns the next event within `horizonDays` after a time in epoch milliseconds; undefined if there is
   * none.
   */
  next(after: number): Upcoming | undefined {
    const known = this.#found;
    if (known && known.from <= after && after < known.until) return known.next;
    const today = dayAt(after);
    const next = this.#search(today, after);
    this.#found = { next, from: after, until: next?.at ?? msAt(today + 1, '00:00') };
    return next;
  }

  at(moment: number): readonly PlacedEvent[] {
    const day = dayAt(moment);
    const [wanted, date] = [moment - msAt(day, '00:00'), dateOf(day)];
    const rows = this.#rows.filter((row) => row.time === wanted && isDue(row, day, date));
    return rows.map(({ place }) => place);
  }

  #search(today: Day, after: number): Upcoming | undefined {
    for (let day = today; day < today + horizonDays; day += 1) {
      const [midnight, date] = [msAt(day, '00:00'), dateOf(day)];
      const row = this.#rows.find((other) => midnight + other.time > after && isDue(other, day, date));
      if (row) return { place: row.place, at: midnight + row.time };
    }
    return undefined;
  }
}

/**
 * Whether the calendar of a day lists an event: the event takes place and is not excluded by `exclude`.
 * @param date the date of `day`
 */
function isListed({ place, happensOn }: Row, day: Day, date: string): boolean {
  return happensOn(day) && !place.event.excluded.has(date);
}

function isDue(row: Row, day: Day, date: string): boolean {
  return isListed(row, day, date) && !row.place.event.skipped.has(date);
}
