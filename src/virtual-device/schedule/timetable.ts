import { allEvents, type Database, happeningTest, type PlacedEvent } from './database';
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

/** The events of a database by time. */
export class Timetable {
  readonly #rows: readonly Row[];

  constructor(database: Database) {
    const rows = allEvents(database).map((place) => ({
      place,
      time: msAt(0, place.event.fields.start_time ?? '00:00'),
      happensOn: happeningTest(place),
    }));
    this.#rows = rows.sort((a, b) => a.time - b.time);
  }

  /** Returns all events of a day, including those that `exclude` hides. */
  all(day: Day): PlacedEvent[] {
    return this.#rows.filter(({ happensOn }) => happensOn(day)).map(({ place }) => place);
  }

  /** Returns the events that the calendar of a day lists. */
  on(day: Day): PlacedEvent[] {
    const date = dateOf(day);
    return this.all(day).filter(({ event }) => !event.excluded.includes(date));
  }

  /** Returns the first event after a time in epoch milliseconds; undefined if there is none within `horizonDays`. */
  next(after: number): Upcoming | undefined {
    const today = dayAt(after);
    for (let day = today; day < today + horizonDays; day += 1) {
      const midnight = msAt(day, '00:00');
      const row = this.#rows.find((other) => midnight + other.time > after && isDue(other, day));
      if (row) return { place: row.place, at: midnight + row.time };
    }
    return undefined;
  }

  at(moment: number): PlacedEvent[] {
    const day = dayAt(moment);
    const time = moment - msAt(day, '00:00');
    return this.#rows.filter((row) => row.time === time && isDue(row, day)).map(({ place }) => place);
  }
}

function isDue({ place: { event }, happensOn }: Row, day: Day): boolean {
  if (!happensOn(day)) return false;
  const date = dateOf(day);
  return !event.excluded.includes(date) && !event.skipped.includes(date);
}
