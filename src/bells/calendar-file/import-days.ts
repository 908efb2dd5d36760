import { Slices } from '../../kernel/time/slices';
import type { Day } from '../calendar';
import { allEntries, type EntryFilter, entriesOf, type NotImported, windowOf } from './entries';
import { localStartOf, maxSteps, occurrencesOf, type Series } from './series';
import { localZone } from './zones';

const daySeconds = 86_400;

/** Maximum duration of an entry, in days. A longer entry is shortened to this duration. */
const maxDays = 366;

interface ImportedDays {
  /** The days, each with the names of the entries that take place then. */
  readonly days: ReadonlyMap<Day, ReadonlySet<string>>;
  /** The names of the entries among them that have a time of day. */
  readonly timed: ReadonlySet<string>;
  readonly notImported: readonly NotImported[];
}

/**
 * Returns all days from `from` to `until` (both included) on which a calendar entry takes place, for the
 * whole day or a part of it. Only days from yesterday to two years ahead count.
 * @returns undefined if the import takes too many steps
 */
export async function importDays(
  ics: string,
  span: { readonly from: Day; readonly until: Day },
  today: Day,
  filter: EntryFilter = allEntries,
  slices = new Slices(maxSteps),
): Promise<ImportedDays | undefined> {
  const { entries, notImported } = await entriesOf(ics, slices, Math.max(today, span.from), filter);
  const window = windowOf(today, span.from);
  const [from, until] = [window.first, Math.min(span.until, window.last)];
  const days = new Map<Day, Set<string>>();
  const timed = new Set<string>();
  const left = [...notImported];
  for (const series of entries) {
    const { name, line, lengthProblem } = series.event;
    if (lengthProblem !== undefined) {
      left.push({ name, line, reason: lengthProblem });
      continue;
    }
    const length = secondsOf(series);
    const begin = from - Math.ceil(length / daySeconds) - 1;
    for (const day of await occurrencesOf(series, until + 1, slices, begin)) {
      if (slices.isOver) await slices.next();
      const wall = localStartOf(series, day);
      const last = wall.day + Math.floor((wall.seconds + Math.max(1, length) - 1) / daySeconds);
      const [first, end] = [Math.max(wall.day, from), Math.min(last, until)];
      if (first <= end && series.event.start.seconds !== undefined) timed.add(name);
      for (let one = first; one <= end; one += 1) {
        const names = days.get(one);
        if (names) names.add(name);
        else days.set(one, new Set([name]));
      }
      slices.take(Math.max(0, end - first));
    }
    if (slices.isUsedUp) return undefined;
  }
  return { days, timed, notImported: left };
}

/**
 * Returns the duration of an entry in seconds, at most `maxDays`. An entry whose start is a date lasts at
 * least one day.
 */
function secondsOf({ event, zone }: Series): number {
  const { start, end, duration } = event;
  const isDate = start.seconds === undefined;
  const defaultSeconds = isDate ? daySeconds : 0;
  let length = duration ?? defaultSeconds;
  if (end) {
    const until = { day: end.day, seconds: end.seconds ?? 0 };
    const isSameZone = isDate || end.zone === start.zone;
    const since = { day: start.day, seconds: start.seconds ?? 0 };
    length = isSameZone
      ? (until.day - since.day) * daySeconds + until.seconds - since.seconds
      : (localZone.utcOf(until) - zone.utcOf(since)) / 1000;
  }
  return Math.min(Math.max(length, defaultSeconds), maxDays * daySeconds);
}
