import { localizedPhrase, type Text } from '../catalogue/localized-message';
import type { FormatPhrase } from '../catalogue/phrases';
import { Slices } from '../kernel/time/slices';
import { compactDateOf, type Day, datesOf, dayOf, weekdayOf, wholeTime } from './calendar';
import { readDayList } from './day-list';
import { readWeekdays, ruleOf, type Weekdays } from './weekdays';

export type GivenBell = Readonly<Record<string, unknown>>;

/** The days on which a bell rings, in the form of an event of the device. */
export interface Occurrence {
  readonly start: Day;
  /** Last day on which the bell rings; undefined if the bell rings without end. */
  readonly last?: Day | undefined;
  readonly rrule: string;
  readonly exdate: string;
  readonly rdate: string;
  ringsOn(day: Day): boolean;
}

export interface Bell {
  /** Place of the bell in messages: a path such as `bells[2]`, or the line of an imported calendar. */
  readonly place: Text;
  readonly given: GivenBell;
  readonly name: string;
  /** Time of day as `HH:MM:SS`. */
  readonly time: string;
  /** Multicast zone; empty for a bell without a zone. */
  readonly zone: string;
  readonly isEnabled: boolean;
  readonly fields: GivenBell;
  /**
   * @param start the first possible day, if the bell has no first day of its own
   * @returns undefined if the bell never rings
   */
  when(start: Day): Occurrence | undefined;
}

const shared = ['audio', 'zone', 'color', 'dtmf', 'enabled', 'extension'];

const maxName = 80;

const defaultType = 'play_tone';

interface ReadBells {
  readonly bells: readonly Bell[];
  readonly findings: readonly Text[];
}

/** Cache: the parsed bells of each list without mistakes, since many devices can have the same list. */
const known = new WeakMap<readonly unknown[], ReadBells>();

/** Parses bells and finds the mistakes that the catalogue's check cannot find. */
export async function readBells(
  given: readonly unknown[],
  formatPhrase: FormatPhrase<Text> = localizedPhrase,
): Promise<ReadBells> {
  const before = known.get(given);
  if (before) return before;
  const slices = new Slices();
  const findings: Text[] = [];
  const bells: Bell[] = [];
  for (const [index, one] of given.entries()) {
    if (slices.isOver) await slices.next();
    const bell = readBell(one, `bells[${index}]`, findings, formatPhrase);
    if (bell) bells.push(bell);
  }
  const read = { bells, findings };
  if (findings.length === 0) known.set(given, read);
  return read;
}

export function bellOf(given: GivenBell, place: Text, when: Bell['when']): Bell {
  const fields: Record<string, unknown> = { event_type: given.type ?? defaultType };
  for (const name of shared) if (given[name] !== undefined) fields[name] = given[name];
  return {
    place,
    given,
    name: String(given.name),
    time: wholeTime(String(given.time)),
    zone: given.zone === undefined ? '' : String(given.zone),
    isEnabled: given.enabled === undefined || given.enabled === true || given.enabled === 1,
    fields,
    when,
  };
}

export function titleOf({ name, place }: Bell): Text {
  return localizedPhrase('namedBell', { name: name.slice(0, maxName), place });
}

function readBell(
  given: unknown,
  place: string,
  findings: Text[],
  formatPhrase: FormatPhrase<Text>,
): Bell | undefined {
  // The catalogue's check reports bells that are not objects, and fields of the wrong type.
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const bell = given as GivenBell;
  const weekdays =
    bell.days === undefined ? undefined : readWeekdays(bell.days, `${place}.days`, formatPhrase);
  const misread = weekdays && 'finding' in weekdays;
  if (misread) findings.push(weekdays.finding);
  const except =
    bell.except === undefined ? undefined : readDayList(bell.except, `${place}.except`, formatPhrase);
  findings.push(...(except?.findings ?? []));
  const from = dateIn(bell.from);
  const until = dateIn(bell.until);
  if (from !== undefined && until !== undefined && until < from) {
    findings.push(formatPhrase('untilBeforeFrom', { place }));
    return undefined;
  }
  if (weekdays === undefined || misread || (except?.findings.length ?? 0) > 0) return undefined;
  const days = except?.days ?? new Set<Day>();
  if (from === undefined) return bellOf(bell, place, (start) => occurrenceOf(weekdays, start, until, days));
  const occurrence = occurrenceOf(weekdays, from, until, days);
  if (!occurrence) findings.push(formatPhrase('neverRings', { place }));
  return occurrence && bellOf(bell, place, () => occurrence);
}

function dateIn(given: unknown): Day | undefined {
  return typeof given === 'string' ? dayOf(given) : undefined;
}

function occurrenceOf(
  weekdays: Weekdays,
  from: Day,
  until: Day | undefined,
  except: ReadonlySet<Day>,
): Occurrence | undefined {
  const end = until ?? Number.POSITIVE_INFINITY;
  if (weekdays.size === 0) {
    if (from > end || except.has(from)) return undefined;
    return { start: from, last: from, rrule: '', exdate: '', rdate: '', ringsOn: (day) => day === from };
  }
  const isNamed = (day: Day) => weekdays.has(weekdayOf(day));
  const rings = (day: Day) => isNamed(day) && !except.has(day);
  const start = firstOf(rings, from, end, 1, except.size);
  if (start === undefined) return undefined;
  const hit = [...except].filter((day) => day > start && day <= end && isNamed(day));
  return {
    start,
    last: until === undefined ? undefined : firstOf(rings, until, start, -1, except.size),
    rrule: until === undefined ? ruleOf(weekdays) : `${ruleOf(weekdays)};UNTIL=${compactDateOf(until)}`,
    exdate: datesOf(hit),
    rdate: '',
    ringsOn: (day) => day >= start && day <= end && rings(day),
  };
}

/**
 * Returns the first ringing day from `from` in the direction `step`; undefined if there is none up to `end`.
 * Searches one week, and one more week for each exception, since a bell without exceptions rings every week.
 */
function firstOf(
  rings: (day: Day) => boolean,
  from: Day,
  end: Day,
  step: 1 | -1,
  exceptions: number,
): Day | undefined {
  for (let count = 0; count <= 7 * (exceptions + 1); count += 1) {
    const day = from + step * count;
    if (step * (end - day) < 0) return undefined;
    if (rings(day)) return day;
  }
  return undefined;
}
