import { LocalizedMessage } from '../../catalogue/localized-message';
import { Slices } from '../../kernel/time/slices';
import { type Day, dayAt, partsOf } from '../calendar';
import { daysOf } from '../recurrence';
import { readRule } from '../rule';
import type { Component } from './content-lines';

const dayMs = 86_400_000;

/** Maximum number of clock changes of a zone. No real zone has more. */
const maxChanges = 2_000;

/** Maximum number of steps through the rules of one zone. */
const maxSteps = 20_000;

/** Number of years before the entries from which all clock changes are calculated. */
const yearsBefore = 2;

/** Number of years after the entries up to which all clock changes are calculated. */
const yearsAfter = 5;

/** A clock change of a zone. */
interface Change {
  /** Time of the change, in epoch milliseconds. */
  readonly at: number;
  /** Offset from UTC after the change, in milliseconds. */
  readonly offset: number;
  /** Offset from UTC before the change, in milliseconds. */
  readonly before: number;
}

/** The offsets of a zone that a calendar describes (RFC 5545, 3.6.5). */
export class DescribedZone {
  private constructor(private readonly changes: readonly Change[]) {}

  /**
   * @param around day around which the entries take place; offsets many years away from it can be wrong
   * @returns undefined if the description is incomplete, or has an unreadable rule that has not ended by then
   */
  static async read({ inner, problem }: Component, around: Day): Promise<DescribedZone | undefined> {
    if (problem !== undefined) return undefined;
    const changes: Change[] = [];
    for (const { name, lines } of inner) {
      if (name !== 'STANDARD' && name !== 'DAYLIGHT') continue;
      const found = await changesOf(lines, around);
      if (!found || changes.length + found.length > maxChanges) return undefined;
      changes.push(...found);
    }
    if (changes.length === 0) return undefined;
    return new DescribedZone(changes.sort((a, b) => a.at - b.at));
  }

  /** Returns the offset from UTC in milliseconds at a time in epoch milliseconds. */
  offsetAt(ms: number): number {
    let [low, high] = [0, this.changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.changes[middle]?.at ?? 0) <= ms) low = middle + 1;
      else high = middle;
    }
    return this.changes[low - 1]?.offset ?? this.changes[0]?.before ?? 0;
  }

  /**
   * Converts local time, in milliseconds as if it were UTC, to epoch milliseconds. A time that a clock change leaves
   * out counts with the offset before the change, and a time that comes twice is the first of the two.
   */
  utcOf(wallMs: number): number {
    const offsets = [wallMs - dayMs, wallMs, wallMs + dayMs].map((ms) => this.offsetAt(ms));
    const fitting = offsets
      .map((offset) => wallMs - offset)
      .filter((ms) => ms + this.offsetAt(ms) === wallMs);
    return fitting.length > 0 ? Math.min(...fitting) : wallMs - (offsets[0] ?? 0);
  }
}

type Lines = Component['lines'];

async function changesOf(lines: Lines, around: Day): Promise<Change[] | undefined> {
  const [before, offset] = ['TZOFFSETFROM', 'TZOFFSETTO'].map((name) => offsetOf(textOf(lines, name)));
  const start = wallOf(textOf(lines, 'DTSTART'));
  if (before === undefined || offset === undefined || start === undefined) return undefined;
  const walls = [start];
  for (const { name, value } of lines) {
    if (name === 'RDATE') {
      const dates = value.split(',').map((date) => wallOf(date.split('/')[0] ?? ''));
      if (dates.includes(undefined)) return undefined;
      walls.push(...dates.flatMap((date) => date ?? []));
    }
    if (name !== 'RRULE' || value.trim() === '') continue;
    const found = await wallsOf(value, start, before, around);
    if (!found) return undefined;
    walls.push(...found);
  }
  return walls.map((wall) => ({ at: wall - before, offset, before }));
}

/** Returns the changes that a rule generates, in local time; undefined if the rule is unreadable. */
async function wallsOf(
  written: string,
  start: number,
  before: number,
  around: Day,
): Promise<number[] | undefined> {
  const { year } = partsOf(around);
  const parts = new Map(
    written
      .replace(/\s/g, '')
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2) as [string, string | undefined]),
  );
  const first = Math.floor(start / dayMs);
  const until = endOf(parts.get('UNTIL'), before);
  const hasEnded = until < (around - 366) * dayMs;
  const time = timeOf(parts, start - first * dayMs);
  const yearDay = parts.get('BYYEARDAY');
  for (const name of ['BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYYEARDAY', 'UNTIL']) parts.delete(name);
  const text = [...parts].map(([name, value = '']) => `${name}=${value}`).join(';');
  const rule = readRule(text, first);
  const isReadable = !(rule instanceof LocalizedMessage) && time !== undefined;
  // A rule that ended before the entries has set the clock for the last time then.
  if (!isReadable) return hasEnded ? [until] : undefined;
  const end = Math.min(dayAt(year + yearsAfter, 1, 1), Math.floor(until / dayMs));
  const skipTo = Math.min(dayAt(year - yearsBefore, 1, 1), end - 366);
  const days: Day[] = [];
  if (yearDay !== undefined) {
    if (rule.frequency !== 'YEARLY' || !/^[+-]?\d{1,3}$/.test(yearDay)) return hasEnded ? [until] : undefined;
    for (let one = Math.max(partsOf(first).year, partsOf(skipTo).year); one <= partsOf(end).year; one += 1)
      days.push(
        Number(yearDay) > 0 ? dayAt(one, 1, Number(yearDay)) : dayAt(one + 1, 1, 1) + Number(yearDay),
      );
  } else {
    const slices = new Slices(maxSteps);
    for await (const day of daysOf(first, rule, end, slices, skipTo)) {
      days.push(day);
      if (days.length > maxChanges) return undefined;
    }
    if (slices.isUsedUp) return undefined;
  }
  return days.map((day) => day * dayMs + time).filter((wall) => wall >= start && wall <= until);
}

/** Returns the end of a rule in local time; infinity if it has none. */
function endOf(until: string | undefined, before: number): number {
  if (until === undefined) return Number.POSITIVE_INFINITY;
  const wall = wallOf(until.length === 8 ? `${until}T235959` : until);
  if (wall === undefined) return Number.POSITIVE_INFINITY;
  return until.endsWith('Z') ? wall + before : wall;
}

/** Returns the time of day of the changes, in milliseconds; undefined if a rule has several. */
function timeOf(parts: ReadonlyMap<string, string | undefined>, own: number): number | undefined {
  const units = [
    ['BYHOUR', 3_600_000, 24],
    ['BYMINUTE', 60_000, 60],
    ['BYSECOND', 1_000, 60],
  ] as const;
  let time = 0;
  for (const [name, ms, max] of units) {
    const value = parts.get(name) ?? String(Math.floor(own / ms) % max);
    if (!/^\d{1,2}$/.test(value)) return undefined;
    time += Number(value) * ms;
  }
  return time;
}

function textOf(lines: Lines, name: string): string {
  return lines.find((line) => line.name === name)?.value.trim() ?? '';
}

/** Returns a written time in milliseconds, as if it were UTC; undefined if it is invalid. */
function wallOf(written: string): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/.exec(written.trim());
  if (!found) return undefined;
  const [year = 0, month = 1, date = 1, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map(Number);
  if (month < 1 || month > 12 || date < 1 || date > 31 || hours > 23 || minutes > 59 || seconds > 59)
    return undefined;
  return dayAt(year, month, date) * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function offsetOf(written: string): number | undefined {
  const found = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(written);
  if (!found) return undefined;
  const [, sign, hours, minutes, seconds = 0] = found;
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}
