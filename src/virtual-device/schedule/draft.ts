import { maxCollected } from '../checks/checks';
import { allEvents, type Database, type PlacedEvent, type StoredEvent, type StoredGroup } from './database';

/** A copy of the database on which one request works. The original database does not change. */
export class Draft {
  readonly lastIds: Database['lastIds'];
  readonly mistakes: string[] = [];

  /** Whether further entries need no check, since a message lists only the first mistakes. */
  get isHopeless(): boolean {
    return this.mistakes.length >= maxCollected;
  }
  readonly #isForeign: Pick<Database, 'isForeign'>;
  readonly #groups: Map<number, StoredGroup>;
  /** Events, keyed by evid, in the order of the database. */
  readonly #places: Map<number, PlacedEvent>;
  /** The sets of dates that this draft created and may therefore change. */
  readonly #own = new WeakSet<ReadonlySet<string>>();

  constructor(before: Database) {
    this.lastIds = { ...before.lastIds };
    this.#isForeign = before.isForeign ? { isForeign: true } : {};
    const groups = before.groups.map((group) => ({ ...group, events: group.events.map(copy) }));
    const places = allEvents({ ...before, groups, events: before.events.map(copy) });
    this.#groups = new Map(groups.map((group) => [group.groupid, group]));
    this.#places = new Map(places.map((place) => [place.event.evid, place]));
  }

  get places(): Iterable<PlacedEvent> {
    return this.#places.values();
  }

  get eventCount(): number {
    return this.#places.size;
  }

  get groupCount(): number {
    return this.#groups.size;
  }

  /** Number of rules of events and groups whose days the device must count (see `mustCount`). */
  get countedRules(): number {
    const events = [...this.#places.values()].map(({ event }) => event);
    return [...events, ...this.#groups.values()].filter(({ fields }) => mustCount(fields.rrule)).length;
  }

  place(evid: number | undefined): PlacedEvent | undefined {
    return evid === undefined ? undefined : this.#places.get(evid);
  }

  group(groupid: number | undefined): StoredGroup | undefined {
    return groupid === undefined ? undefined : this.#groups.get(groupid);
  }

  add(place: PlacedEvent): void {
    this.#places.set(place.event.evid, place);
  }

  addGroup(group: StoredGroup): void {
    this.#groups.set(group.groupid, group);
  }

  remove({ event }: PlacedEvent): void {
    this.#places.delete(event.evid);
  }

  removeGroup(group: StoredGroup): void {
    this.#groups.delete(group.groupid);
  }

  /** Adds a date to the skipped or excluded dates of an event, or removes the date. */
  setDate({ event }: PlacedEvent, kind: 'excluded' | 'skipped', date: string, isWanted: boolean): void {
    const before = event[kind];
    if (before.has(date) === isWanted) return;
    // Only the dates of a changed event are copied: a schedule can have hundreds of thousands of dates.
    const dates = this.#own.has(before) ? (before as Set<string>) : new Set(before);
    if (isWanted) dates.add(date);
    else dates.delete(date);
    this.#own.add(dates);
    event[kind] = dates;
  }

  finish(): Database {
    const events: StoredEvent[] = [];
    for (const group of this.#groups.values()) group.events = [];
    for (const { event, group } of this.#places.values()) (group?.events ?? events).push(event);
    const isForeign = this.#places.size > 0 ? this.#isForeign : {};
    return { groups: [...this.#groups.values()], events, lastIds: this.lastIds, ...isForeign };
  }
}

function mustCount(rule = ''): boolean {
  return rule.includes('COUNT=') && /FREQ=(MONTHLY|YEARLY)/.test(rule);
}

/**
 * Copies an event. Fields and calls are shared, since both are always replaced as a whole. Dates are copied
 * before their first change.
 */
function copy(event: StoredEvent): StoredEvent {
  return { ...event };
}
