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

/** Whether an event takes place on a day. */
export type DayTest = (day: Day) => boolean;

/**
 * Returns the test of a day: the rule or `rdate` includes the day, and the `exdate` of `exceptions` does not
 * exclude the day. The rule must have passed `refuseRule`.
 */
export function dayTestOf(recurrence: Recurrence, exceptions: Recurrence = recurrence): DayTest {
  const { extra, follows } = calendarOf(recurrence);
  const { excluded } = calendarOf(exceptions);
  if (extra.size + excluded.size === 0) return follows;
  return (day) => (extra.has(day) || follows(day)) && !excluded.has(day);
}

function calendarOf(recurrence: Recurrence): Calendar {
  const known = calendars.get(recurrence);
  if (known) return known;
  const calendar = {
    extra: daysIn(recurrence.rdate),
    excluded: daysIn(recurrence.exdate),
    follows: rhythmOf(recurrence),
  };
  calendars.set(recurrence, calendar);
  return calendar;
}

function daysIn(dates = ''): ReadonlySet<Day | undefined> {
  return new Set(dates === '' ? [] : dates.split(',').map(dayOf));
}

function rhythmOf({ start_date = '', rrule }: Recurrence): DayTest {
  const start = dayOf(start_date);
  if (start === undefined) return () => false;
  if (!rrule) return (day) => day === start;
  const { count = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY, ...rhythm } = readRule(rrule);
  const periods = periodsOf(rhythm, start);
  const counter = new Counter(periods, start, count);
  return (day) => {
    if (day < start || day > until) return false;
    const step = periods.at(day);
    return Number.isInteger(step) && periods.has(step, day) && counter.reaches(step, day);
  };
}

function periodsOf({ frequency, interval, byDay }: Rhythm, start: Day): Periods {
  // A yearly rule without weekdays is the same as a monthly rule with an interval of twelve.
  if (frequency === 'YEARLY' && byDay.length === 0)
    return periodsOf({ frequency: 'MONTHLY', interval: interval * 12, byDay }, start);
  const { indexOf, begin, cycle } = units[frequency];
  const origin = indexOf(start);
  const offset = start - begin(origin);
  const at = (day: Day): number => (indexOf(day) - origin) / interval;
  const first = (step: number): Day => begin(origin + step * interval);
  const end = (step: number): Day => begin(origin + step * interval + 1);
  if (byDay.length > 0) return { at, first, end, cycle, isEven: false, ...weekdaysOf(byDay, { first, end }) };
  return {
    ...{ at, first, end, cycle },
    isEven: frequency !== 'MONTHLY' || offset < 28,
    has: (step, day) => day === first(step) + offset,
    sizeOf: (step) => Number(first(step) + offset < end(step)),
  };
}

/** Selects the days of a rule with weekdays. The test takes the same time for any number of weekdays. */
function weekdaysOf(
  byDay: readonly Weekday[],
  { first, end }: Pick<Periods, 'first' | 'end'>,
): Pick<Periods, 'has' | 'sizeOf'> {
  const isWhole = weekdayNumbers.map((number) =>
    byDay.some(({ weekday, nth }) => weekday === number && nth === 0),
  );
  const single = byDay.filter(({ weekday, nth }) => nth !== 0 && !isWhole[weekday]);
  const keyOf = (weekday: number, nth: number): number => weekday * 1000 + nth;
  const selected = new Set(single.map(({ weekday, nth }) => keyOf(weekday, nth)));
  const has = (step: number, day: Day): boolean => {
    const weekday = weekdayOf(day);
    if (isWhole[weekday] || selected.size === 0) return isWhole[weekday] === true;
    const fromStart = Math.floor((day - first(step)) / 7) + 1;
    const fromEnd = Math.floor((end(step) - 1 - day) / 7) + 1;
    return selected.has(keyOf(weekday, fromStart)) || selected.has(keyOf(weekday, -fromEnd));
  };
  const countDays = (from: Day, to: Day): number => {
    const found = new Set<Day>();
    let whole = 0;
    for (const weekday of weekdayNumbers)
      if (isWhole[weekday]) whole += Math.ceil((to - from - ((weekday - weekdayOf(from) + 7) % 7)) / 7);
    for (const { weekday, nth } of single) {
      const earliest = from + ((weekday - weekdayOf(from) + 7) % 7);
      const latest = to - 1 - ((weekdayOf(to - 1) - weekday + 7) % 7);
      const day = nth > 0 ? earliest + 7 * (nth - 1) : latest + 7 * (nth + 1);
      if (day >= from && day < to) found.add(day);
    }
    return whole + found.size;
  };
  // Periods of the same length that start on the same weekday have the same number of days.
  const sizes = new Map<number, number>();
  const sizeOf = (step: number): number => {
    const [from, to] = [first(step), end(step)];
    const key = (to - from) * 7 + weekdayOf(from);
    const known = sizes.get(key);
    if (known !== undefined) return known;
    const size = countDays(from, to);
    sizes.set(key, size);
    return size;
  };
  return { has, sizeOf };
}

const weekdayNumbers = [0, 1, 2, 3, 4, 5, 6];

/** Counts the days of a rule up to its COUNT. Each period is counted once, for all calls of `reaches`. */
class Counter {
  readonly #periods: Periods;
  readonly #count: number;
  /** The first period that is not counted yet, and the number of days before this period. */
  #next = 0;
  #found = 0;
  #last = Number.POSITIVE_INFINITY;
  #daysPerCycle: number | undefined;

  constructor(periods: Periods, start: Day, count: number) {
    this.#periods = periods;
    this.#count = count;
    // Days before the start do not count.
    if (count !== Number.POSITIVE_INFINITY && !periods.isEven)
      for (let day = periods.first(0); day < start; day += 1) this.#found -= Number(periods.has(0, day));
  }

  /** Whether a day of the rule, which is in the period `step`, is one of the first `count` days. */
  reaches(step: number, day: Day): boolean {
    if (this.#count === Number.POSITIVE_INFINITY) return true;
    if (this.#periods.isEven) return step < this.#count;
    while (this.#next <= step && this.#found < this.#count) this.#advance(step);
    return day <= this.#last;
  }

  #advance(step: number): void {
    const cycles = this.#cyclesTo(step);
    if (cycles > 0) {
      this.#found += cycles * this.#cycleSize();
      this.#next += cycles * this.#periods.cycle;
      return;
    }
    const size = this.#periods.sizeOf(this.#next);
    if (this.#found + size >= this.#count) this.#last = this.#dayOf(this.#next, this.#count - this.#found);
    this.#found += size;
    this.#next += 1;
  }

  /** Returns how many whole cycles fit between `#next` and the period `step` without reaching the count. */
  #cyclesTo(step: number): number {
    const whole = Math.floor((step - this.#next) / this.#periods.cycle);
    if (whole === 0) return 0;
    return Math.min(whole, Math.floor((this.#count - this.#found - 1) / Math.max(1, this.#cycleSize())));
  }

  #cycleSize(): number {
    if (this.#daysPerCycle !== undefined) return this.#daysPerCycle;
    this.#daysPerCycle = 0;
    for (let step = 0; step < this.#periods.cycle; step += 1)
      this.#daysPerCycle += this.#periods.sizeOf(step);
    return this.#daysPerCycle;
  }

  #dayOf(step: number, ordinal: number): Day {
    const end = this.#periods.end(step);
    let left = ordinal;
    for (let day = this.#periods.first(step); day < end; day += 1) {
      if (this.#periods.has(step, day)) left -= 1;
      if (left === 0) return day;
    }
    return end;
  }
}

interface Calendar {
  readonly extra: ReadonlySet<Day | undefined>;
  readonly excluded: ReadonlySet<Day | undefined>;
  /** Whether the rule includes a day. */
  readonly follows: DayTest;
}

type Rhythm = Omit<Rule, 'count' | 'until'>;

/** The periods of a rule (days, weeks, months or years), counted from the period in which the rule starts. */
interface Periods {
  /** Returns the number of the period with this day; a fraction if the interval of the rule skips the day. */
  readonly at: (day: Day) => number;
  /** Returns the first day of a period. */
  readonly first: (step: number) => Day;
  /** Returns the day after the last day of a period. */
  readonly end: (step: number) => Day;
  /** Whether the rule selects a day of the period `step`, even if the day is before the start. */
  readonly has: (step: number, day: Day) => boolean;
  /** Returns the number of days that the rule selects in a period, including days before the start. */
  readonly sizeOf: (step: number) => number;
  /** Number of periods after which the calendar repeats. */
  readonly cycle: number;
  /**
   * Whether the rule selects exactly one day in each period, so that the number of a period is also the
   * number of the days before it.
   */
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
