import { allPlaces, type Database, type Place, type StoredEvent, type StoredGroup } from './database';

/** A copy of a database for one request to work on; the database itself stays as it was. */
export class Draft {
  readonly lastIds: Database['lastIds'];
  /** Why the request cannot be done after all, in sentences. */
  readonly mistakes: string[] = [];
  readonly #groups: Map<number, StoredGroup>;
  /** By evid, in the database's order. */
  readonly #places: Map<number, Place>;

  constructor(before: Database) {
    this.lastIds = { ...before.lastIds };
    const groups = before.groups.map((group) => ({ ...group, events: group.events.map(copy) }));
    const places = allPlaces({ ...before, groups, events: before.events.map(copy) });
    this.#groups = new Map(groups.map((group) => [group.groupid, group]));
    this.#places = new Map(places.map((place) => [place.event.evid, place]));
  }

  /** All events, in the database's order. */
  get places(): readonly Place[] {
    return [...this.#places.values()];
  }

  place(evid: number | undefined): Place | undefined {
    return evid === undefined ? undefined : this.#places.get(evid);
  }

  group(groupid: number | undefined): StoredGroup | undefined {
    return groupid === undefined ? undefined : this.#groups.get(groupid);
  }

  add(place: Place): void {
    this.#places.set(place.event.evid, place);
  }

  addGroup(group: StoredGroup): void {
    this.#groups.set(group.groupid, group);
  }

  remove({ event }: Place): void {
    this.#places.delete(event.evid);
  }

  /** Takes its events with it. */
  removeGroup(group: StoredGroup): void {
    this.#groups.delete(group.groupid);
    for (const place of this.places) if (place.group === group) this.remove(place);
  }

  /** What the request has made of the database. */
  finish(): Database {
    const events: StoredEvent[] = [];
    for (const group of this.#groups.values()) group.events = [];
    for (const { event, group } of this.#places.values()) (group?.events ?? events).push(event);
    return { groups: [...this.#groups.values()], events, lastIds: this.lastIds };
  }
}

/** Fields and calls are replaced as a whole, the sets are changed. */
function copy(event: StoredEvent): StoredEvent {
  return { ...event, excluded: new Set(event.excluded), skipped: new Set(event.skipped) };
}
