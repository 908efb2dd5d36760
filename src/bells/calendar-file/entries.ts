import { Saying, said, saying } from '../../catalogue/saying';
import type { Day } from '../calendar';
import type { Slices } from '../slices';
import { readCalendarText } from './content-lines';
import { type CalendarEvent, readEvent } from './event';
import { readSeries, type Series } from './series';
import { Zones } from './zones';

/** What of a calendar became nothing, and why. */
export interface NotImported {
  readonly name: string;
  readonly reason: Saying;
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

/** The entries of a calendar, what replaces one of a series put in its place. */
export async function entriesOf(
  ics: string,
  slices: Slices,
): Promise<{ readonly entries: readonly Entry[]; readonly notImported: readonly NotImported[] }> {
  const { components } = readCalendarText(ics, saying);
  if (slices.isOver) await slices.next();
  const zones = new Zones(components);
  const read = components.flatMap((component) => {
    const event = component.name === 'VEVENT' ? readEvent(component, [], saying) : undefined;
    return event ? [{ event, line: (component.lines[0]?.line ?? 2) - 1 }] : [];
  });
  const replacing = new Map<string, CalendarEvent[]>();
  for (const { event } of read) {
    if (event.replaces && event.uid !== '') {
      replacing.set(event.uid, [...(replacing.get(event.uid) ?? []), event]);
    }
  }
  const entries: Entry[] = [];
  const notImported: NotImported[] = [];
  for (const { event, line } of read) {
    if (slices.isOver) await slices.next();
    const replaced = event.replaces
      ? []
      : (replacing.get(event.uid) ?? []).flatMap(({ replaces }) => replaces ?? []);
    const reason = whyNot(event);
    const series = reason ?? (await readSeries(event, replaced, zones));
    if (!(series instanceof Saying)) entries.push({ series, line });
    // One of a series that is called off is said by the series, which has it no more.
    else if (!(event.replaces && event.isCancelled)) notImported.push({ name: event.name, reason: series });
  }
  return { entries, notImported };
}

function whyNot({ isCancelled, replacesLater }: CalendarEvent): Saying | undefined {
  if (isCancelled) return said('isCancelled');
  return replacesLater ? said('changesLater') : undefined;
}
