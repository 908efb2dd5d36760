import { type Day, dayOf, firstOf, mondayOf, monthOf, weekdayOf, weekOf } from './days';
import { type Rule, readRule, type Weekday } from './rule';

/** A recurrence. A date has the form `YYYY-MM-DD`; several dates are comma-separated. */
export interface Recurrence {
  readonly start_date?: string | undefined;
  readonly rrule?: string | undefined;
  readonly rdate?: string | undefined;
  readonly exdate?: string | undefined;
}

/** Cache: the calendar of each recurrence. Recurrences are immutable. */
const calendars = new WeakMap<Recurrence, Calendar>();

/**
 * Whether an event takes place on a day: the rule or `rdate` includes the day, and the `exdate` of
 * `exceptions` does not exclude the day. The rule must have passed `refuseRule`.
 */
export function occursOn(recurrence: Recurrence, day: Day, exceptions: Recurrence = recurrence): boolean {
  return calendarOf(recurrence).includes(day) && !calendarOf(exceptions).excludes(day);
}

function calendarOf(recurrence: Recurrence): Calendar {
  const known = calendars.get(recurrence);
  if (known) return known;
  const extra = daysIn(recurrence.rdate);
  const exceptions = daysIn(recurrence.exdate);
  const follows = rhythmOf(recurrence);
  const calendar: Calendar = {
    includes: (day) => extra.has(day) || follows(day),
    excludes: (day) => exceptions.has(day),
  };
  calendars.set(recurrence, calendar);
  return calendar;
}

function daysIn(dates = ''): ReadonlySet<Day | undefined> {
  return new Set(dates === '' ? [] : dates.split(',').map(dayOf));
}

function rhythmOf({ start_date = '', rrule }: Recurrence): (day: Day) => boolean {
  const start = dayOf(start_date);
  if (start === undefined) return () => false;
  if (!rrule) return (day) => day === start;
  const { count, until = Number.POSITIVE_INFINITY, ...rhythm } = readRule(rrule);
  const steps = stepsOf(rhythm, start);
  return (day) => {
    if (day < start || day > until) return false;
    const step = steps.at(day);
    if (!Number.isInteger(step) || !steps.days(step).includes(day)) return false;
    return count === undefined || ordinalOf(steps, start, day) <= count;
  };
}

function stepsOf({ frequency, interval, byDay }: Rhythm, start: Day): Steps {
  // A yearly rule without weekdays is the same as a monthly rule with an interval of twelve.
  if (frequency === 'YEARLY' && byDay.length === 0)
    return stepsOf({ frequency: 'MONTHLY', interval: interval * 12, byDay }, start);
  const { indexOf, begin, cycle } = units[frequency];
  const origin = indexOf(start);
  const offset = start - begin(origin);
  return {
    at: (day) => (indexOf(day) - origin) / interval,
    days: (step) => {
      const index = origin + step * interval;
      const [first, end] = [begin(index), begin(index + 1)];
      if (byDay.length > 0) return weekdaysFrom(byDay, first, end);
      return first + offset < end ? [first + offset] : [];
    },
    cycle,
    isEven: byDay.length === 0 && (frequency !== 'MONTHLY' || offset < 28),
  };
}

function weekdaysFrom(byDay: readonly Weekday[], first: Day, end: Day): readonly Day[] {
  const found = new Set<Day>();
  for (const { weekday, nth } of byDay) {
    const earliest = first + ((weekday - weekdayOf(first) + 7) % 7);
    const latest = end - 1 - ((weekdayOf(end - 1) - weekday + 7) % 7);
    if (nth === 0) for (let day = earliest; day < end; day += 7) found.add(day);
    else found.add(nth > 0 ? earliest + 7 * (nth - 1) : latest + 7 * (nth + 1));
  }
  return [...found].filter((day) => day >= first && day < end);
}

/** Returns the number of occurrences from the start up to a day, both included. */
function ordinalOf({ at, days, cycle, isEven }: Steps, start: Day, day: Day): number {
  const step = at(day);
  if (isEven) return step + 1;
  const sum = (count: number): number => {
    let named = 0;
    for (let index = 0; index < count; index += 1) named += days(index).length;
    return named;
  };
  const cycles = Math.floor(step / cycle);
  const whole = (cycles > 0 ? cycles * sum(cycle) : 0) + sum(step % cycle);
  const early = days(0).filter((other) => other < start).length;
  return whole - early + days(step).filter((other) => other <= day).length;
}

interface Calendar {
  readonly includes: (day: Day) => boolean;
  readonly excludes: (day: Day) => boolean;
}

type Rhythm = Omit<Rule, 'count' | 'until'>;

/** The periods of a rule (days, weeks, months or years), counted from the period in which the rule starts. */
interface Steps {
  /** Returns the number of the period with this day; a fraction if the interval of the rule skips the day. */
  readonly at: (day: Day) => number;
  /**
   * Returns the days that the rule selects in the period `step`, including days before the start. The first
   * period is 0.
   */
  readonly days: (step: number) => readonly Day[];
  /** Number of periods after which the calendar repeats. */
  readonly cycle: number;
  /** Whether each period has exactly one day, so that the number of occurrences follows from the period. */
  readonly isEven: boolean;
}

interface Unit {
  readonly indexOf: (day: Day) => number;
  readonly begin: (index: number) => Day;
  readonly cycle: number;
}

const units: Readonly<Record<Rule['frequency'], Unit>> = {
  DAILY: { indexOf: (day) => day, begin: (index) => index, cycle: 7 },
  WEEKLY: { indexOf: weekOf, begin: mondayOf, cycle: 1 },
  MONTHLY: { indexOf: monthOf, begin: firstOf, cycle: 4800 },
  YEARLY: {
    indexOf: (day) => Math.floor(monthOf(day) / 12),
    begin: (index) => firstOf(index * 12),
    cycle: 400,
  },
};
