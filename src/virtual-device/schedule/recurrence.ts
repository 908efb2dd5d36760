/** Days are counted from 1970-01-01, all in the device's own time zone. */
export type Day = number;

const DAY_MS = 86_400_000;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The day of a `YYYY-MM-DD`, or nothing when there is no such day. */
export function dayOf(date: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(ms) || dateOf(ms / DAY_MS) !== date ? undefined : ms / DAY_MS;
}

export function dateOf(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function dayAt(ms: number): Day {
  return Math.floor(ms / DAY_MS);
}

/** Milliseconds since the epoch at a time (`HH:MM` or `HH:MM:SS`) of a day. */
export function msAt(day: Day, time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return day * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

interface Weekday {
  /** 0 is Sunday. */
  readonly weekday: number;
  /** The n-th of the month or year, from the end if negative; 0 is every one. */
  readonly nth: number;
}

interface Rule {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  readonly count: number | undefined;
  readonly until: Day | undefined;
  readonly byDay: readonly Weekday[];
}

const COMPONENTS: Readonly<Record<string, RegExp>> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,3}$/,
  COUNT: /^[1-9]\d{0,4}$/,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  BYDAY: /^([+-]?[1-9]\d?)?(SU|MO|TU|WE|TH|FR|SA)(,([+-]?[1-9]\d?)?(SU|MO|TU|WE|TH|FR|SA))*$/,
};

/** What is wrong with an `rrule` (section 2.6a), in words; nothing if it is right. An empty one is right. */
export function refuseRule(text: string): string | undefined {
  if (text === '') return undefined;
  if (/\s/.test(text)) return 'must not contain whitespace';
  const names: string[] = [];
  for (const component of text.split(';')) {
    const [name = '', value = ''] = component.split('=');
    const pattern = Object.hasOwn(COMPONENTS, name) ? COMPONENTS[name] : undefined;
    if (!pattern) return `knows ${Object.keys(COMPONENTS).join(', ')}, not ${JSON.stringify(name)}`;
    if (names.includes(name) || !pattern.test(value) || component !== `${name}=${value}`)
      return `has a wrong ${name}: ${JSON.stringify(component)}`;
    names.push(name);
  }
  return names.includes('FREQ') ? undefined : 'must include FREQ=';
}

function weekdayOf(written: string): Weekday {
  return { weekday: WEEKDAYS.indexOf(written.slice(-2)), nth: Number(written.slice(0, -2) || 0) };
}

function parse(text: string): Rule {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]));
  const until = parts.get('UNTIL')?.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3');
  const count = parts.get('COUNT');
  return {
    frequency: (parts.get('FREQ') ?? 'DAILY') as Rule['frequency'],
    interval: Number(parts.get('INTERVAL') ?? 1),
    count: count === undefined ? undefined : Number(count),
    until: until === undefined ? undefined : (dayOf(until) ?? Number.NEGATIVE_INFINITY),
    byDay: parts.get('BYDAY')?.split(',').map(weekdayOf) ?? [],
  };
}

function partsOf(day: Day): { year: number; month: number; date: number; weekday: number } {
  const date = new Date(day * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    date: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
}

/** Whether `day` is one of these weekdays within the period from `first` to `last`. */
function isNamed(byDay: readonly Weekday[], day: Day, first: Day, last: Day): boolean {
  const { weekday } = partsOf(day);
  return byDay.some(({ weekday: wanted, nth }) => {
    if (wanted !== weekday) return false;
    if (nth === 0) return true;
    return nth > 0 ? Math.floor((day - first) / 7) + 1 === nth : -Math.floor((last - day) / 7) - 1 === nth;
  });
}

/** Weeks begin on Monday. */
function weekOf(day: Day): number {
  return Math.floor((day + 3) / 7);
}

function fits({ frequency, interval, byDay }: Rule, start: Day, day: Day): boolean {
  const from = partsOf(start);
  const at = partsOf(day);
  const dayIn = (year: number, month: number): Day => Date.UTC(year, month, 1) / DAY_MS;
  const isOneOf = (first: Day, end: Day): boolean => isNamed(byDay, day, first, end - 1);
  switch (frequency) {
    case 'DAILY':
      return (day - start) % interval === 0 && (byDay.length === 0 || isOneOf(day, day + 1));
    case 'WEEKLY':
      if ((weekOf(day) - weekOf(start)) % interval !== 0) return false;
      return byDay.length === 0 ? at.weekday === from.weekday : isNamed(byDay, day, day, day);
    case 'MONTHLY':
      if ((at.year * 12 + at.month - from.year * 12 - from.month) % interval !== 0) return false;
      if (byDay.length === 0) return at.date === from.date;
      return isOneOf(dayIn(at.year, at.month), dayIn(at.year, at.month + 1));
    case 'YEARLY':
      if ((at.year - from.year) % interval !== 0) return false;
      if (byDay.length === 0) return at.date === from.date && at.month === from.month;
      return isOneOf(dayIn(at.year, 0), dayIn(at.year + 1, 0));
  }
}

/** When something happens; dates are `YYYY-MM-DD`, lists of them comma-separated. */
export interface Recurrence {
  readonly start_date?: string | undefined;
  readonly rrule?: string | undefined;
  readonly rdate?: string | undefined;
  readonly exdate?: string | undefined;
}

function lists(dates: string | undefined, day: Day): boolean {
  return dates?.split(',').includes(dateOf(day)) ?? false;
}

/** Whether a rule that passed `refuseRule` has an occurrence on a day. */
export function occursOn(recurrence: Recurrence, day: Day): boolean {
  if (lists(recurrence.exdate, day)) return false;
  if (lists(recurrence.rdate, day)) return true;
  const start = dayOf(recurrence.start_date ?? '');
  if (start === undefined || day < start) return false;
  if (!recurrence.rrule) return day === start;
  const rule = parse(recurrence.rrule);
  if (rule.until !== undefined && day > rule.until) return false;
  if (!fits(rule, start, day)) return false;
  if (rule.count === undefined) return true;
  let earlier = 0;
  for (let other = start; other < day && earlier < rule.count; other += 1)
    if (fits(rule, start, other)) earlier += 1;
  return earlier < rule.count;
}
