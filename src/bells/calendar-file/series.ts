import { LocalizedMessage, localized } from '../../catalogue/localized-message';
import type { Slices } from '../../kernel/time/slices';
import { type Day, partsOf } from '../calendar';
import { daysOf } from '../recurrence';
import { type Rule, readRule } from '../rule';
import type { CalendarEvent, CalendarTime } from './event';
import { localZone, type Wall, type Zone, type Zones } from './zones';

export const maxOccurrences = 20_000;

/**
 * Maximum number of steps through all series of a calendar: a malicious calendar could otherwise block
 * Node-RED. A school year takes about ten thousand steps.
 */
export const maxSteps = 3_000_000;

/** The parts of a rule that choose a time within the day, with the length of their unit in seconds. */
const withinDay = { BYHOUR: 3600, BYMINUTE: 60, BYSECOND: 1 } as const;

/** A readable entry with its rule and its zone. All days are days of this zone. */
export interface Series {
  readonly event: CalendarEvent;
  readonly zone: Zone;
  readonly rule?: Rule;
  /** Whether the rule does not name the start, which nevertheless counts. */
  readonly hasUnnamedStart?: boolean;
  readonly except: ReadonlySet<Day>;
  readonly more: readonly Day[];
}

export async function readSeries(
  event: CalendarEvent,
  replaced: readonly CalendarTime[],
  zones: Zones,
  slices: Slices,
): Promise<Series | LocalizedMessage> {
  const { start } = event;
  const zone = await zones.named(start.zone);
  if (!zone) return localized('zoneUnknown', { zone: start.zone.slice(0, 60) });
  if (event.unsupportedProperty) return event.unsupportedProperty;
  if (event.rules.length > 1) return localized('manyRules');
  const [text] = event.rules;
  const rule = text === undefined ? undefined : readTimedRule(text, start);
  if (rule instanceof LocalizedMessage) return rule;
  const until = text === undefined ? undefined : untilOf(text, start, zone);
  const daysHere = (times: readonly CalendarTime[]) =>
    start.seconds === undefined ? times.map(wholeDayOf) : daysIn(zone, zones, times, slices);
  const except = [...(await daysHere(event.except)), ...(await daysHere(replaced))];
  const more = await daysHere(event.more);
  const isOtherTime = event.more.some((time) => time.seconds !== undefined && time.seconds !== start.seconds);
  if (isOtherTime && event.more.every((time) => time.zone === start.zone)) return localized('otherTimes');
  return {
    event,
    zone,
    ...(rule && (await withStart(until === undefined ? rule : { ...rule, until }, start.day, slices))),
    except: new Set(except),
    more,
  };
}

/** The start counts as an occurrence, also where its rule does not name it (RFC 5545, 3.8.5.3). */
async function withStart(
  rule: Rule,
  start: Day,
  slices: Slices,
): Promise<Pick<Series, 'rule' | 'hasUnnamedStart'>> {
  for await (const _ of daysOf(start, rule, start, slices)) return { rule };
  const { count } = rule;
  return { rule: { ...rule, ...(count !== undefined && { count: count - 1 }) }, hasUnnamedStart: true };
}

/**
 * Returns the day of an exception of a whole-day series, which can carry a time. Programs write the date that is meant
 * before the time, but a time in UTC that is not midnight is the local midnight of another day.
 */
function wholeDayOf({ day, seconds = 0, zone }: CalendarTime): Day {
  return zone === 'UTC' && seconds !== 0 ? localZone.wallOf((day * 86_400 + seconds) * 1000).day : day;
}

/**
 * Returns the days of a series up to `end` (included), sorted, without its exceptions. Days before `skipTo`
 * can be missing. If the series has more than `maxOccurrences` days or takes too many steps, other days are
 * missing too.
 */
export async function occurrencesOf(series: Series, end: Day, slices: Slices, skipTo?: Day): Promise<Day[]> {
  const { event, rule, except, more } = series;
  const days = new Set(more.filter((day) => day <= end));
  days.add(event.start.day);
  if (rule) {
    for await (const day of daysOf(event.start.day, rule, end, slices, skipTo)) {
      days.add(day);
      if (days.size > maxOccurrences) break;
    }
  }
  return [...days].filter((day) => !except.has(day) && day <= end).sort((a, b) => a - b);
}

/**
 * Returns the local time at which an entry starts on one of its days. An entry without a time starts at
 * midnight.
 */
export function localStartOf({ event: { start }, zone }: Series, day: Day): Wall {
  const wall = { day, seconds: start.seconds ?? 0 };
  return zone.isLocal || start.seconds === undefined ? wall : localZone.wallOf(zone.utcOf(wall));
}

/** BYHOUR, BYMINUTE and BYSECOND are accepted only if equal to the time of the start. */
function readTimedRule(text: string, { day, seconds }: CalendarTime): Rule | LocalizedMessage {
  const parts: string[] = [];
  for (const part of text.slice(0, 2_000).toUpperCase().split(';')) {
    const [name = '', value = ''] = part.split('=');
    if (name === 'FREQ' && ['SECONDLY', 'MINUTELY', 'HOURLY'].includes(value)) return localized('withinDay');
    if (!Object.hasOwn(withinDay, name)) {
      parts.push(part);
      continue;
    }
    const unit = withinDay[name as keyof typeof withinDay];
    const own = Math.floor((seconds ?? 0) / unit) % (unit === 3600 ? 24 : 60);
    if (value.includes(',') || Number(value) !== own) return localized('withinDayOrElse');
  }
  return readRule(parts.join(';'), day);
}

/**
 * Returns the last day that UNTIL allows, in the zone of the entry; undefined if UNTIL or the start has no
 * time.
 */
function untilOf(text: string, start: CalendarTime, zone: Zone): Day | undefined {
  const found = /(?:^|;)UNTIL=(\d{8})T(\d{6})(Z?)/i.exec(text.slice(0, 2_000));
  if (!found || start.seconds === undefined) return undefined;
  const [, date = '', time = '', isUtc] = found;
  const [hours = 0, minutes = 0, seconds = 0] = [0, 2, 4].map((at) => Number(time.slice(at, at + 2)));
  const ms = Date.UTC(
    Number(date.slice(0, 4)),
    Number(date.slice(4, 6)) - 1,
    Number(date.slice(6)),
    hours,
    minutes,
    seconds,
  );
  const day = Math.floor(ms / 86_400_000);
  const wall = isUtc ? zone.wallOf(ms) : { day, seconds: (hours * 60 + minutes) * 60 + seconds };
  return wall.seconds < start.seconds ? wall.day - 1 : wall.day;
}

/** Converts times to days in `zone`. A date without a time, or a time in an unknown zone, keeps its day. */
async function daysIn(
  zone: Zone,
  zones: Zones,
  times: readonly CalendarTime[],
  slices: Slices,
): Promise<Day[]> {
  const days: Day[] = [];
  for (const { day, seconds, zone: name } of times) {
    if (slices.isOver) await slices.next();
    const other = seconds === undefined ? undefined : await zones.named(name);
    const isElsewhere = other !== undefined && other !== zone;
    days.push(isElsewhere ? zone.wallOf(other.utcOf({ day, seconds: seconds ?? 0 })).day : day);
  }
  return days;
}

/**
 * Returns a rule for the same days that needs only FREQ, INTERVAL and BYDAY, apart from its end; undefined if
 * there is none.
 */
export function deviceRuleFor(rule: Rule, start: Day): Rule | undefined {
  const { year, month, date } = partsOf(start);
  const { frequency, interval, byDay, byMonth, byMonthDay, bySetPos } = rule;
  const isOwn = (values: readonly number[], own: number) =>
    values.length === 0 || values.join() === String(own);
  if (bySetPos.length > 0 || Number.isNaN(year)) return undefined;
  if (byMonth.length === 0 && byMonthDay.length === 0) return rule;
  const bare = { ...rule, byMonth: [], byMonthDay: [] };
  if (!isOwn(byMonthDay, date) || (byMonthDay.length > 0 && byDay.length > 0)) return undefined;
  if (frequency === 'MONTHLY' && byMonth.length === 0) return bare;
  if (frequency !== 'YEARLY' || !isOwn(byMonth, month)) return undefined;
  if (byDay.length === 0) return byMonth.length > 0 ? bare : { ...bare, frequency: 'MONTHLY' };
  // Weekdays in one month of the year repeat every twelfth month.
  return { ...bare, frequency: 'MONTHLY', interval: interval * 12 };
}
