import { localizedPhrase, type Text } from '../catalogue/localized-message';
import { Slices } from '../kernel/time/slices';
import type { Bell, GivenBell, Occurrence } from './bell';
import { type Day, dayOf, wholeTime } from './calendar';
import { type Database, type DeviceEvent, textOf } from './database';
import { changesOf, eventOf } from './difference';

export interface Plan {
  /** The body of the request; absent if nothing has to change. */
  readonly post?: Readonly<Record<string, readonly GivenBell[]>>;
  readonly created: readonly GivenBell[];
  readonly updated: readonly GivenBell[];
  readonly deleted: readonly { readonly name: string; readonly time: string }[];
  readonly unchanged: number;
  /** Messages about bells that never ring; a plan with such messages must not be carried out. */
  readonly findings: readonly Text[];
  readonly scheduled: readonly ScheduledBell[];
}

export interface ScheduledBell {
  readonly bell: Bell;
  readonly occurrence: Occurrence;
  readonly event?: DeviceEvent | undefined;
  readonly isChanged: boolean;
}

/**
 * Returns the changes that turn the events with a tag into the given bells. Events in groups stay unchanged.
 * An event that matches a bell keeps its `evid` and its skipped days.
 * @param today first day of new bells that have no first day of their own
 */
export async function planOf(
  database: Database,
  tag: string,
  bells: readonly Bell[],
  today: Day,
): Promise<Plan> {
  const slices = new Slices();
  const owned = database.events.filter((event) => textOf(event, 'tag') === tag);
  const { matched, left } = await match(bells, owned, today, slices);
  const findings: Text[] = [];
  const scheduled: ScheduledBell[] = [];
  const events: GivenBell[] = [];
  const [created, updated]: [GivenBell[], GivenBell[]] = [[], []];
  for (const bell of bells) {
    if (slices.isOver) await slices.next();
    const event = matched.get(bell);
    const occurrence = occurrenceOf(bell, event, today);
    if (!occurrence) {
      findings.push(localizedPhrase('neverRings', { place: bell.place }));
      continue;
    }
    const changes = event ? changesOf(event, bell, occurrence) : eventOf(bell, occurrence, tag);
    const isChanged = Object.keys(changes).length > 0;
    scheduled.push({ bell, occurrence, event, isChanged });
    if (isChanged) {
      events.push(event ? { evid: event.evid, ...changes } : changes);
      (event ? updated : created).push(bell.given);
    }
  }
  const post = {
    ...(left.length > 0 && { delete: left.map(({ evid }) => ({ evid })) }),
    ...(events.length > 0 && { events }),
  };
  return {
    ...(Object.keys(post).length > 0 && { post }),
    created,
    updated,
    deleted: left.map((event) => ({ name: textOf(event, 'name'), time: textOf(event, 'start_time') })),
    unchanged: scheduled.length - events.length,
    findings,
    scheduled,
  };
}

/**
 * A bell without a first day of its own keeps the first day of its event.
 * @returns undefined if the bell never rings
 */
function occurrenceOf(bell: Bell, event: DeviceEvent | undefined, today: Day): Occurrence | undefined {
  return bell.when((event && dayOf(textOf(event, 'start_date'))) ?? today);
}

const maxAlike = 20;

/**
 * Matches bells with events: first by name and time, then by name only. If at most `maxAlike` events have the
 * same name and time, a bell first gets an event that needs no change.
 */
async function match(
  bells: readonly Bell[],
  owned: readonly DeviceEvent[],
  today: Day,
  slices: Slices,
): Promise<{ readonly matched: ReadonlyMap<Bell, DeviceEvent>; readonly left: readonly DeviceEvent[] }> {
  const matched = new Map<Bell, DeviceEvent>();
  const timeOf = (event: DeviceEvent) => wholeTime(textOf(event, 'start_time'));
  const byBoth = shelve(owned, (event) => keyOf(textOf(event, 'name'), timeOf(event)));
  const isOf = (bell: Bell, event: DeviceEvent) => {
    const occurrence = occurrenceOf(bell, event, today);
    return occurrence !== undefined && Object.keys(changesOf(event, bell, occurrence)).length === 0;
  };
  for (const bell of bells) {
    const alike = byBoth.get(keyOf(bell.name, bell.time)) ?? [];
    for (const [place, event] of alike.length <= maxAlike ? alike.entries() : []) {
      if (slices.isOver) await slices.next();
      if (!isOf(bell, event)) continue;
      matched.set(bell, event);
      alike.splice(place, 1);
      break;
    }
  }
  for (const bell of bells) {
    const event = matched.has(bell) ? undefined : byBoth.get(keyOf(bell.name, bell.time))?.shift();
    if (event) matched.set(bell, event);
  }
  const taken = new Set(matched.values());
  const byName = shelve(
    owned.filter((event) => !taken.has(event)),
    (event) => textOf(event, 'name'),
  );
  for (const bell of bells) {
    const event = matched.has(bell) ? undefined : byName.get(bell.name)?.shift();
    if (event) matched.set(bell, event);
  }
  const kept = new Set(matched.values());
  return { matched, left: owned.filter((event) => !kept.has(event)) };
}

function keyOf(name: string, time: string): string {
  return `${time} ${name}`;
}

function shelve(
  events: readonly DeviceEvent[],
  labelOf: (event: DeviceEvent) => string,
): Map<string, DeviceEvent[]> {
  const shelves = new Map<string, DeviceEvent[]>();
  for (const event of events) {
    const label = labelOf(event);
    const shelf = shelves.get(label);
    if (shelf) shelf.push(event);
    else shelves.set(label, [event]);
  }
  return shelves;
}
