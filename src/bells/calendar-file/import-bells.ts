import { LocalizedMessage, localized, localizedPhrase, type Text } from '../../catalogue/localized-message';
import { Slices } from '../../kernel/time/slices';
import { type Bell, bellOf, type GivenBell, type Occurrence } from '../bell';
import { type Day, dateOf, datesOf, weekdayCodes } from '../calendar';
import { untilOf } from '../recurrence';
import { deviceRuleOf, type Rule } from '../rule';
import { allEntries, type EntryFilter, entriesOf, type NotImported, type Span, windowOf } from './entries';
import { deviceRuleFor, localStartOf, maxOccurrences, maxSteps, occurrencesOf, type Series } from './series';

/**
 * Number of days in which a series without an end is searched, counted from the latest of its start, today
 * and the start of the span.
 */
const lookahead = 800;

/** Number of days in which a series with an end is searched, from its start. */
const century = 36_525;

interface ImportedBells {
  readonly bells: readonly Bell[];
  readonly notImported: readonly NotImported[];
}

interface BellSpan extends Span {
  /** The reason why times of other zones cannot be converted; undefined if they can be converted. */
  readonly otherWallClock?: LocalizedMessage | undefined;
}

/**
 * Converts each calendar entry into a bell, if one event of the device can express the entry. Leaves out
 * entries without a day in the span, and from yesterday to two years ahead. Times of other zones are converted to the
 * local zone.
 * @returns undefined if the import takes too many steps
 */
export async function importBells(
  ics: string,
  audio: unknown,
  span: BellSpan,
  today: Day,
  filter: EntryFilter = allEntries,
  slices = new Slices(maxSteps),
): Promise<ImportedBells | undefined> {
  const { entries, notImported } = await entriesOf(ics, slices, Math.max(today, span.from ?? today), filter);
  const bells: Bell[] = [];
  const left = [...notImported];
  for (const series of entries) {
    if (slices.isOver) await slices.next();
    const { name, line } = series.event;
    const place = localizedPhrase('icsLine', { line: String(line) });
    const found = await bellsOf(series, audio, span, today, place, slices);
    if (found instanceof LocalizedMessage) left.push({ name, line, reason: found });
    else if (found) bells.push(found);
    if (slices.isUsedUp) return undefined;
  }
  return { bells, notImported: left };
}

async function bellsOf(
  series: Series,
  audio: unknown,
  { from, until, otherWallClock }: BellSpan,
  today: Day,
  place: Text,
  slices: Slices,
): Promise<Bell | LocalizedMessage | undefined> {
  const { event, rule } = series;
  if (event.start.seconds === undefined) return localized('noTimeOfDay');
  const own = rule && deviceRuleFor(rule, event.start.day);
  if (rule && !own) return localized('ruleUnsayable');
  const latest = Math.max(event.start.day, today, from ?? 0) + lookahead;
  const isEndless = rule !== undefined && rule.count === undefined && rule.until === undefined;
  const all = await occurrencesOf(series, isEndless ? latest : event.start.day + century, slices);
  if (all.length > maxOccurrences) return localized('manyDays');
  const [first] = all;
  if (first === undefined) return localized('noDayLeft');
  if (otherWallClock && !series.zone.isLocal) return otherWallClock;
  const window = windowOf(today, from);
  const isCounted = (day: Day) => day >= window.first && day <= window.last;
  const shown = all.find(isCounted) ?? first;
  const { day: shownDay, seconds } = localStartOf(series, shown);
  const shift = shownDay - shown;
  for (const day of series.zone.isLocal ? [] : all.filter(isCounted)) {
    if (slices.isOver) await slices.next();
    const wall = localStartOf(series, day);
    if (wall.seconds !== seconds || wall.day - day !== shift) return localized('otherSummerTime');
  }
  const shifted = own && shiftedRule(own, shift);
  if (own && !shifted) return localized('otherDays');
  const days = all.map((day) => day + shift).filter((day) => day >= (from ?? day) && day <= (until ?? day));
  const [start] = days;
  if (start === undefined || !days.some(isCounted)) return undefined;
  // The intervals of an event count from its first day, so the rule must generate this day.
  if (own && series.more.includes(start - shift) && !(await isNamed(series, start - shift, slices))) {
    return localized('ruleUnsayable');
  }
  const last = isEndless && until === undefined ? undefined : days.at(-1);
  const occurrence = occurrenceOf(series, shifted, shift, start, last, days);
  const given = givenOf(event.name, seconds, audio, occurrence, shifted);
  return bellOf(given, place, () => occurrence);
}

async function isNamed(series: Series, day: Day, slices: Slices): Promise<boolean> {
  const byRule = await occurrencesOf({ ...series, more: [], except: new Set() }, day, slices, day);
  return byRule.includes(day);
}

function occurrenceOf(
  { event, except, more, hasUnnamedStart }: Series,
  rule: Rule | undefined,
  shift: number,
  start: Day,
  last: Day | undefined,
  days: readonly Day[],
): Occurrence {
  const rings = new Set(days);
  const isOnce = start === last || !rule;
  const unnamed = hasUnnamedStart ? [event.start.day + shift] : [];
  const added = [...more].map((day) => day + shift).filter((day) => day > start);
  const extra = [...new Set([...unnamed, ...added])].filter((day) => rings.has(day));
  // UNTIL is the last day that the rule itself generates. If UNTIL were a later additional day, the rule
  // would also generate the days between.
  const beside = new Set(extra);
  const until = last === undefined ? undefined : (days.findLast((day) => !beside.has(day)) ?? last);
  const hit = [...except]
    .map((day) => day + shift)
    .filter((day) => day > start && day <= (until ?? day) && !rings.has(day));
  return {
    start,
    last,
    rrule: isOnce ? '' : `${deviceRuleOf(rule)}${until === undefined ? '' : untilOf(until)}`,
    exdate: isOnce ? '' : datesOf(hit),
    rdate: datesOf(isOnce && last !== start ? days.slice(1) : extra),
    ringsOn: (day) => rings.has(day),
  };
}

/** Returns a rule for the days moved by `shift`; undefined if the result might generate other days. */
function shiftedRule(rule: Rule, shift: number): Rule | undefined {
  const { frequency, interval, byDay } = rule;
  if (shift === 0 || (frequency === 'DAILY' && byDay.length === 0)) return rule;
  const isWeek = frequency === 'WEEKLY' && (interval === 1 || byDay.length === 0);
  if (!isWeek && frequency !== 'DAILY') return undefined;
  return { ...rule, byDay: byDay.map(({ weekday, nth }) => ({ nth, weekday: (weekday + shift + 7) % 7 })) };
}

/** `rrule` replaces `days` if the bell has additional days, or if `days` cannot express the rule. */
function givenOf(
  name: string,
  seconds: number,
  audio: unknown,
  { start, last, rrule, exdate, rdate }: Occurrence,
  rule: Rule | undefined,
): GivenBell {
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const days = rrule === '' && rdate === '' ? 'once' : rule && wordsOf(rule);
  return {
    name,
    time: `${two(hours)}:${two(minutes)}${rest === 0 ? '' : `:${two(rest)}`}`,
    ...(days === undefined || rdate !== '' ? { rrule } : { days }),
    audio,
    from: dateOf(start),
    ...(last !== undefined && { until: dateOf(last) }),
    ...(exdate !== '' && { except: exdate.split(',') }),
    ...(rdate !== '' && { rdate: rdate.split(',') }),
  };
}

const words: Readonly<Record<string, string>> = {
  MO: 'mon',
  TU: 'tue',
  WE: 'wed',
  TH: 'thu',
  FR: 'fri',
  SA: 'sat',
  SU: 'sun',
};

function wordsOf({ frequency, interval, byDay }: Rule): string | undefined {
  if (interval !== 1 || byDay.some(({ nth }) => nth !== 0)) return undefined;
  if (frequency === 'DAILY' && byDay.length === 0) return 'daily';
  if (byDay.length === 0 || (frequency !== 'WEEKLY' && frequency !== 'DAILY')) return undefined;
  return byDay.map(({ weekday }) => words[weekdayCodes[weekday] ?? '']).join(',');
}
