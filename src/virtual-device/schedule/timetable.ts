import { allPlaces, byTime, type Database, isOn, type Place } from './database';
import { type Day, dateOf, dayAt, msAt } from './days';

/** An event and when it happens next, in milliseconds since the epoch. */
export interface Upcoming {
  readonly place: Place;
  readonly at: number;
}

/** Days ahead in which the next event is looked for; then it is looked for again. */
export const horizonDays = 8;

interface Row {
  readonly place: Place;
  /** Milliseconds since midnight. */
  readonly time: number;
}

/** When the events of a database happen, which nobody changes. */
export class Timetable {
  readonly database: Database;
  /** By their times. */
  readonly #rows: readonly Row[];
  /** What was found last, and from when to when it is the answer. */
  #found: { readonly next: Upcoming | undefined; readonly from: number; readonly until: number } | undefined;

  constructor(database: Database) {
    this.database = database;
    this.#rows = byTime(allPlaces(database)).map((place) => ({
      place,
      time: msAt(0, place.event.fields.start_time ?? '00:00'),
    }));
  }

  /** Everything that is on the calendar on a day, by time; what is excluded is not. */
  on(day: Day): readonly Place[] {
    const date = dateOf(day);
    return this.#rows.map(({ place }) => place).filter((place) => isOn(place, day, date));
  }

  /** What happens next after a moment, within the horizon. */
  next(after: number): Upcoming | undefined {
    const known = this.#found;
    if (known && known.from <= after && after < known.until) return known.next;
    const today = dayAt(after);
    const next = this.#search(today, after);
    this.#found = { next, from: after, until: next?.at ?? msAt(today + 1, '00:00') };
    return next;
  }

  /** What happens at a moment. */
  at(moment: number): readonly Place[] {
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

function isDue({ place }: Row, day: Day, date: string): boolean {
  return !place.event.skipped.has(date) && isOn(place, day, date);
}
