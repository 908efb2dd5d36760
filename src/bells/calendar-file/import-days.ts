import { Slices } from '../../time/slices';
import type { Day } from '../calendar';
import { entriesOf, type NotImported } from './entries';
import { localStartOf, maxSteps, occurrencesOf, type Series } from './series';
import { localZone } from './zones';

const daySeconds = 86_400;

/** Maximum duration of an entry, in days. A longer entry is shortened to this duration. */
const maxDays = 366;

/**
 * Returns all days from `from` to `until` (both included) on which a calendar entry takes place, for the
 * whole day or a part of it.
 * @returns undefined if the import takes too many steps
 */
export async function importDays(
  ics: string,
  from: Day,
  until: Day,
  slices = new Slices(maxSteps),
): Promise<{ readonly days: ReadonlySet<Day>; readonly notImported: readonly NotImported[] } | undefined> {
  const { entries, notImported } = await entriesOf(ics, slices);
  const days = new Set<Day>();
  for (const { series } of entries) {
    const length = await secondsOf(series);
    const begin = from - Math.ceil(length / daySeconds) - 1;
    for (const day of await occurrencesOf(series, until + 1, slices, begin)) {
      if (slices.isOver) await slices.next();
      const wall = localStartOf(series, day, localZone);
      const last = wall.day + Math.floor((wall.seconds + Math.max(1, length) - 1) / daySeconds);
      const [first, end] = [Math.max(wall.day, from), Math.min(last, until)];
      for (let one = first; one <= end; one += 1) days.add(one);
      slices.take(Math.max(0, end - first));
    }
    if (slices.isUsedUp) return undefined;
  }
  return { days, notImported };
}

/**
 * Returns the duration of an entry in seconds, at most `maxDays`. An entry whose start is a date lasts at
 * least one day.
 */
async function secondsOf({ event, zone }: Series): Promise<number> {
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
