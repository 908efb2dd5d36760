import { LocalizedMessage, localized, localizedPhrase, type Text } from '../../catalogue/localized-message';
import type { Slices } from '../../kernel/time/slices';
import type { Day } from '../calendar';
import { readCalendarText } from './content-lines';
import { type CalendarEvent, type CalendarTime, isLater, isUnreadable, readEvent } from './event';
import { readSeries, type Series } from './series';
import { Zones } from './zones';

export interface NotImported {
  readonly name: string;
  /** Number of the first line of the entry. */
  readonly line: number;
  readonly reason: Text;
}

export interface Span {
  readonly from?: Day | undefined;
  readonly until?: Day | undefined;
}

/** Texts that choose entries; compared without case with the summary, the categories and the description. */
export interface EntryFilter {
  /** An entry must contain one of these; an empty list accepts all entries. */
  readonly match: readonly string[];
  /** An entry must contain none of these. */
  readonly without: readonly string[];
}

export const allEntries: EntryFilter = { match: [], without: [] };

/**
 * Maximum number of series with one UID if the UID also has changed occurrences. The changes apply to each of
 * these series, so the cost grows with the number of series.
 */
const maxOfOneUid = 20;

/** Number of days ahead in which occurrences of an import count: two years. */
const daysAhead = 731;

/** The days whose occurrences count in an import: from yesterday to two years ahead, of today or of a later `from`. */
export function windowOf(today: Day, from: Day | undefined): { readonly first: Day; readonly last: Day } {
  return { first: Math.max(today - 1, from ?? today - 1), last: Math.max(today, from ?? today) + daysAhead };
}

/**
 * Returns the readable entries of a calendar, and the entries that cannot be imported, with the reasons. A
 * changed occurrence of a series becomes a separate entry and is removed from its series. Leaves out earlier
 * versions of an entry, entries that the filter does not choose, and canceled occurrences.
 * @param today day around which the entries take place
 */
export async function entriesOf(
  ics: string,
  slices: Slices,
  today: Day,
  filter: EntryFilter = allEntries,
): Promise<{ readonly entries: readonly Series[]; readonly notImported: readonly NotImported[] }> {
  const { components } = await readCalendarText(ics, localizedPhrase, slices);
  const zones = new Zones(components, today);
  const versions = new Versions();
  const read: CalendarEvent[] = [];
  const notImported: NotImported[] = [];
  for (const component of components) {
    if (slices.isOver) await slices.next();
    if (component.name === 'VEVENT') {
      const event = readEvent(component, localizedPhrase);
      if (isUnreadable(event)) notImported.push({ ...event, reason: event.problem });
      else {
        read.push(event);
        versions.add(event);
      }
    } else if (component.name === 'VCALENDAR' && component.problem !== undefined) {
      const { name, line, problem } = component;
      notImported.push({ name, line, reason: problem });
    }
  }
  const changes = new Changes();
  for (const event of read) {
    if (slices.isOver) await slices.next();
    if (!versions.hasLater(event)) changes.add(event);
  }
  const isMeant = chosenBy(filter);
  const entries: Series[] = [];
  for (const event of read) {
    if (slices.isOver) await slices.next();
    if (versions.hasLater(event) || !isMeant(event)) continue;
    const changed = event.replaces ? undefined : changes.of(event.uid);
    const reason = whyNot(event, changed);
    const series = reason ?? (await readSeries(event, changed?.replaced ?? [], zones, slices));
    if (!(series instanceof LocalizedMessage)) entries.push(series);
    // A canceled occurrence needs no report: its series already excludes the day.
    else if (!(event.replaces && event.isCancelled))
      notImported.push({ name: event.name, line: event.line, reason: series });
  }
  return { entries, notImported };
}

/** The latest version of each entry: versions have the same UID and RECURRENCE-ID. */
class Versions {
  readonly #latest = new Map<string, CalendarEvent>();

  add(event: CalendarEvent): void {
    const key = keyOf(event);
    const known = this.#latest.get(key);
    if (!known || isLater(event, known)) this.#latest.set(key, event);
  }

  /** Whether a later version is there; never for an entry without a UID. */
  hasLater(event: CalendarEvent): boolean {
    const latest = event.uid === '' ? event : (this.#latest.get(keyOf(event)) ?? event);
    return latest !== event && isLater(latest, event);
  }
}

function keyOf({ uid, replaces }: CalendarEvent): string {
  return replaces ? `${uid}\n${replaces.day} ${replaces.seconds} ${replaces.zone}` : uid;
}

function chosenBy({ match, without }: EntryFilter): (event: CalendarEvent) => boolean {
  const [wanted, unwanted] = [match, without].map((texts) => texts.map((text) => text.toLowerCase()));
  return ({ words }) =>
    (!wanted?.length || wanted.some((text) => words.includes(text))) &&
    !unwanted?.some((text) => words.includes(text));
}

/** The times that the changed occurrences of one UID replace. */
interface Changed {
  readonly replaced: CalendarTime[];
  /** Number of series with this UID; several if calendars were merged. */
  series: number;
}

class Changes {
  readonly #ofUid = new Map<string, Changed>();

  add({ uid, replaces }: CalendarEvent): void {
    if (uid === '') return;
    const known = this.#ofUid.get(uid) ?? { replaced: [], series: 0 };
    if (replaces) known.replaced.push(replaces);
    else known.series += 1;
    this.#ofUid.set(uid, known);
  }

  /** Returns the changes of a UID; undefined if there are none. */
  of(uid: string): Changed | undefined {
    const changed = this.#ofUid.get(uid);
    return changed && changed.replaced.length > 0 ? changed : undefined;
  }
}

function whyNot(
  { isCancelled, replacesLater }: CalendarEvent,
  changed: Changed | undefined,
): LocalizedMessage | undefined {
  if (isCancelled) return localized('isCancelled');
  if (replacesLater) return localized('changesLater');
  return changed && changed.series > maxOfOneUid ? localized('manyOfUid') : undefined;
}
