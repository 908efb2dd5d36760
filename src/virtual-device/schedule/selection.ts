import { byTime, happeningTest, type PlacedEvent, type StoredEvent } from './database';
import { dayOf } from './days';
import type { Draft } from './draft';
import type { Selector } from './fields';
import type { DayTest } from './recurrence';

/**
 * The events of a draft that a selector selects. Each index is built only once, before the request stores any
 * event, and each day is calculated only once, since a request can have thousands of entries.
 */
export class Selection {
  readonly #draft: Draft;
  readonly #days = new Map<string, readonly PlacedEvent[]>();
  #calendar: readonly { readonly place: PlacedEvent; readonly happensOn: DayTest }[] | undefined;
  #tags: Map<string | undefined, PlacedEvent[]> | undefined;
  #groups: Map<number | undefined, PlacedEvent[]> | undefined;
  #calls: Map<number, StoredEvent> | undefined;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** Whether the events of a date are known already. */
  hasDay(date: string): boolean {
    return this.#days.has(date);
  }

  /** Returns all events of a day by time, including excluded events, so that a request can restore them. */
  onDay(date: string): readonly PlacedEvent[] {
    const known = this.#days.get(date);
    if (known) return known;
    this.#calendar ??= byTime([...this.#draft.places]).map((place) => ({
      place,
      happensOn: happeningTest(place),
    }));
    const day = dayOf(date) ?? 0;
    const places = this.#calendar.filter(({ happensOn }) => happensOn(day)).map(({ place }) => place);
    this.#days.set(date, places);
    return places;
  }

  /** Returns the events with an evid, in a group or with a tag. */
  find({ evid, groupid, tag }: Selector): readonly PlacedEvent[] {
    if (evid !== undefined) return this.#present([this.#draft.place(evid)]);
    if (groupid !== undefined) {
      this.#groups ??= indexBy(this.#draft.places, ({ group }) => group?.groupid);
      return this.#present(this.#groups.get(groupid));
    }
    this.#tags ??= indexBy(this.#draft.places, ({ event }) => event.fields.tag);
    return this.#present(this.#tags.get(tag));
  }

  eventOfCall(actid: number): StoredEvent | undefined {
    this.#calls ??= new Map(
      [...this.#draft.places].flatMap(({ event }) => event.calls.map((call) => [call.actid, event] as const)),
    );
    const event = this.#calls.get(actid);
    const isPresent = this.#draft.place(event?.evid)?.event.calls.some((call) => call.actid === actid);
    return isPresent ? event : undefined;
  }

  #present(places: readonly (PlacedEvent | undefined)[] = []): readonly PlacedEvent[] {
    return places.flatMap((place) => (place && this.#draft.place(place.event.evid) ? [place] : []));
  }
}

function indexBy<K>(
  places: Iterable<PlacedEvent>,
  keyOf: (place: PlacedEvent) => K | undefined,
): Map<K | undefined, PlacedEvent[]> {
  const index = new Map<K | undefined, PlacedEvent[]>();
  for (const place of places) {
    const key = keyOf(place);
    const same = index.get(key);
    if (same) same.push(place);
    else index.set(key, [place]);
  }
  return index;
}
