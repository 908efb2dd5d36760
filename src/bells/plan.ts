import { localizedPhrase, type Text } from '../catalogue/localized-message';
import type { Bell, GivenBell, Occurrence } from './bell';
import { type Day, dayOf, wholeTime } from './calendar';
import { type Database, type DeviceEvent, textOf } from './database';
import { changesOf, eventOf } from './difference';
import { Slices } from './slices';

/** What has to be done for the events of a tag to be these bells. */
export interface Plan {
  /** The body of the request; absent when nothing differs. */
  readonly post?: Readonly<Record<string, readonly GivenBell[]>>;
  /** Bells as they were given. */
  readonly created: readonly GivenBell[];
  readonly updated: readonly GivenBell[];
  readonly deleted: readonly { readonly name: string; readonly time: string }[];
  readonly unchanged: number;
  /** Bells that never ring; with any of these the plan is not to be carried out. */
  readonly findings: readonly Text[];
  /** What each bell's event will be. */
  readonly scheduled: readonly ScheduledBell[];
}

/** A bell and when it rings. */
export interface ScheduledBell {
  readonly bell: Bell;
  readonly occurrence: Occurrence;
  /** The event that it is, or becomes; absent where it is created. */
  readonly event?: DeviceEvent | undefined;
  /** Whether that event has to change. */
  readonly isChanged: boolean;
}

/**
 * The smallest change that makes the standalone events with a tag these bells. An event keeps its number, and with
 * it its skips, where a bell has its name; one that no bell is left for is deleted.
 * @param today the first day of bells that name none and are new
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

/** When a bell rings; one without a first day goes on from that of its event. */
function occurrenceOf(bell: Bell, event: DeviceEvent | undefined, today: Day): Occurrence | undefined {
  return bell.when((event && dayOf(textOf(event, 'start_date'))) ?? today);
}

/** Of more events with one name and time it is not looked for the one that is a bell's already. */
const maxAlike = 20;

/** By name and time first, then by name. Of several with one name and time each bell gets the one it has already. */
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
      // Each may have thousands of days to be compared.
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
