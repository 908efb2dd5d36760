import type { Day } from './calendar';
import { dateOf, daysIn, spanOf } from './calendar';
import { type Database, type PlacedEvent, placesIn, textOf } from './database';
import { type Calendar, Expansion, shownEvents } from './preview';

export type Mark = 'skip' | 'unskip' | 'exclude' | 'unexclude';

export interface Selector {
  readonly evid?: unknown;
  readonly groupid?: unknown;
  readonly tag?: unknown;
}

/**
 * The key of each mark's list in the request body, and the key of the day in an entry of the list (section
 * 4.13).
 */
const wire = {
  skip: { key: 'skip', day: 'date' },
  unskip: { key: 'remove_skip', day: 'date' },
  exclude: { key: 'exclude', day: 'exdate' },
  unexclude: { key: 'remove_exclude', day: 'date' },
} as const satisfies Record<Mark, { key: string; day: string }>;

const everything = -1;

export function markBody(mark: Mark, days: Iterable<Day>, selector: Selector): Record<string, object[]> {
  const { key, day } = wire[mark];
  const whose = isEverything(selector) ? { evid: everything } : selector;
  const entries = [...days].sort((a, b) => a - b).map((one) => ({ ...whose, [day]: dateOf(one) }));
  return { [key]: entries };
}

/**
 * Whether days are marked as requested, according to the device's calendar.
 * @returns undefined if a day to restore is also an `exdate` of the event: the calendar then does not show
 * whether the device still excludes the day
 */
export async function isMarked(
  mark: Mark,
  days: readonly Day[],
  selector: Selector,
  database: Database,
  calendar: Calendar,
): Promise<boolean | undefined> {
  const places = placesIn(database).filter((place) => isMeant(place, selector));
  const meant = new Set(places.map(({ event }) => Number(event.evid)));
  const shown = (day: Day) =>
    (calendar[dateOf(day)] ?? []).filter(({ evid }) => isEverything(selector) || meant.has(Number(evid)));
  if (mark === 'exclude') return days.every((day) => shown(day).length === 0);
  if (mark !== 'unexclude') {
    return days.every((day) => shown(day).every(({ skipped }) => Boolean(skipped) === (mark === 'skip')));
  }
  const shownOn = shownEvents(calendar, Number);
  const expansion = new Expansion(...spanOf(days));
  let isSure = true;
  for (const { event, group } of places) {
    const named = new Set(await expansion.of({ event: { ...event, exdate: '' }, ...(group && { group }) }));
    const excepted = new Set(daysIn(event.exdate));
    const isShown = (day: Day) => shownOn(day).has(Number(event.evid));
    const silent = days.filter((day) => named.has(day) && !isShown(day));
    if (silent.some((day) => !excepted.has(day))) return false;
    if (silent.length > 0) isSure = false;
  }
  return isSure || undefined;
}

function isEverything({ evid, groupid, tag }: Selector): boolean {
  return evid === everything || (evid === undefined && groupid === undefined && tag === undefined);
}

function isMeant({ event, group }: PlacedEvent, selector: Selector): boolean {
  if (isEverything(selector)) return true;
  if (selector.evid !== undefined) return Number(event.evid) === Number(selector.evid);
  if (selector.groupid !== undefined) return Number(group?.fields.groupid) === Number(selector.groupid);
  return textOf(event, 'tag') === selector.tag;
}
