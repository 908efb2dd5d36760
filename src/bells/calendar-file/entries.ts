import { LocalizedMessage, localized, localizedPhrase } from '../../catalogue/localized-message';
import type { Slices } from '../../time/slices';
import type { Day } from '../calendar';
import { readCalendarText } from './content-lines';
import { type CalendarEvent, type CalendarTime, readEvent } from './event';
import { readSeries, type Series } from './series';
import { Zones } from './zones';

export interface NotImported {
  readonly name: string;
  readonly reason: LocalizedMessage;
}

export interface Span {
  readonly from?: Day | undefined;
  readonly until?: Day | undefined;
}

export interface Entry {
  readonly series: Series;
  readonly line: number;
}

/**
 * Maximum number of series with one UID if the UID also has changed occurrences. The changes apply to each of
 * these series, so the cost grows with the number of series.
 */
const maxOfOneUid = 20;

/**
 * Returns the readable entries of a calendar, and the entries that cannot be imported, with the reasons. A
 * changed occurrence of a series becomes a separate entry and is removed from its series. Leaves out entries
 * without a valid start, and canceled occurrences.
 */
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
    // A canceled occurrence needs no report: its series already excludes the day.
    else if (!(event.replaces && event.isCancelled)) notImported.push({ name: event.name, reason: series });
  }
  return { entries, notImported };
}

interface Changes {
  readonly replaced: CalendarTime[];
  /** Number of series with this UID; several if calendars were merged. */
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
