import { LocalizedMessage, localized, localizedPhrase } from '../../catalogue/localized-message';
import type { Day } from '../calendar';
import type { Slices } from '../slices';
import { readCalendarText } from './content-lines';
import { type CalendarEvent, type CalendarTime, readEvent } from './event';
import { readSeries, type Series } from './series';
import { Zones } from './zones';

/** What of a calendar became nothing, and why. */
export interface NotImported {
  readonly name: string;
  readonly reason: LocalizedMessage;
}

/** The days that count, both included. */
export interface Span {
  readonly from?: Day | undefined;
  readonly until?: Day | undefined;
}

/** An entry that was understood, and the line on which it begins. */
export interface Entry {
  readonly series: Series;
  readonly line: number;
}

/**
 * The maximum number of series with one UID: no one can tell which of them is changed, and each would be left out at
 * all changes.
 */
const maxOfOneUid = 20;

/** The entries of a calendar, what replaces one of a series put in its place. */
export async function entriesOf(
  ics: string,
  slices: Slices,
): Promise<{ readonly entries: readonly Entry[]; readonly notImported: readonly NotImported[] }> {
  const { components } = readCalendarText(ics, localizedPhrase);
  if (slices.isOver) await slices.next();
  const zones = new Zones(components);
  const read = components.flatMap((component) => {
    const event = component.name === 'VEVENT' ? readEvent(component, [], localizedPhrase) : undefined;
    return event ? [{ event, line: (component.lines[0]?.line ?? 2) - 1 }] : [];
  });
  const changes = changesOf(read.map(({ event }) => event));
  const entries: Entry[] = [];
  const notImported: NotImported[] = [];
  for (const { event, line } of read) {
    if (slices.isOver) await slices.next();
    const changed = event.replaces ? undefined : changes.get(event.uid);
    const reason = whyNot(event, changed);
    const series = reason ?? (await readSeries(event, changed?.replaced ?? [], zones, slices));
    if (!(series instanceof LocalizedMessage)) entries.push({ series, line });
    // One of a series that is called off is said by the series, which has it no more.
    else if (!(event.replaces && event.isCancelled)) notImported.push({ name: event.name, reason: series });
  }
  return { entries, notImported };
}

/** What replaces one of a series, by its UID. */
interface Changes {
  readonly replaced: CalendarTime[];
  /** How many entries are a series that they may be about: one, but where calendars were put together. */
  series: number;
}

function changesOf(events: readonly CalendarEvent[]): ReadonlyMap<string, Changes> {
  const changes = new Map<string, Changes>();
  for (const { uid, replaces } of events) {
    if (!replaces || uid === '') continue;
    const others = changes.get(uid);
    if (others) others.replaced.push(replaces);
    else changes.set(uid, { replaced: [replaces], series: 0 });
  }
  for (const { uid, replaces } of events) {
    const changed = replaces ? undefined : changes.get(uid);
    if (changed) changed.series += 1;
  }
  return changes;
}

function whyNot(
  { isCancelled, replacesLater }: CalendarEvent,
  changed: Changes | undefined,
): LocalizedMessage | undefined {
  if (isCancelled) return localized('isCancelled');
  if (replacesLater) return localized('changesLater');
  return changed && changed.series > maxOfOneUid ? localized('manyOfUid') : undefined;
}
