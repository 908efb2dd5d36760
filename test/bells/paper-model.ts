/**
 * What rings when, worked out day by day, as somebody would on paper: it shares no line with what is tested, nor
 * with the virtual device. Days are numbers since 1970.
 */

const dayMs = 86_400_000;
const codes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

export const numberOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;
export const dateAt = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** The first of 1970 was a Thursday. */
const weekdayAt = (day: number) => (day + 3) % 7;

/** All days that are looked at: two years. */
export const paper = { from: numberOf('2031-06-01'), to: numberOf('2033-05-31') };

/** An event as a device keeps it. */
export interface Kept {
  evid: number;
  name: string;
  start_date: string;
  start_time: string;
  rrule: string;
  exdate?: string;
  rdate?: string;
  tag?: string;
  /** Days that were hidden, and days that were skipped, from outside. */
  hidden: Set<number>;
  skipped: Set<number>;
  [field: string]: unknown;
}

export interface PaperBell {
  readonly name: string;
  readonly time: string;
  readonly days: string;
  readonly from: string;
  readonly until?: string;
  readonly except?: readonly (string | { readonly start: string; readonly end: string })[];
  readonly [field: string]: unknown;
}

const listed = (dates: unknown) =>
  new Set(
    String(dates || '')
      .split(',')
      .filter(Boolean)
      .map(numberOf),
  );

/** The days that an event's own definition names, but for its exceptions. */
export function daysOf(event: Kept): Set<number> {
  const parts = new Map(event.rrule.split(';').map((part) => part.split('=') as [string, string]));
  const start = numberOf(event.start_date);
  const named = parts.get('BYDAY')?.split(',');
  const until = (parts.get('UNTIL') ?? '99991231').replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3');
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const days = new Set<number>();
  let left = Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY);
  const last = event.rrule === '' ? start : Math.min(paper.to, numberOf(until));
  for (let day = start; day <= last && left > 0; day += 1) {
    const isDaily = event.rrule === '' || parts.get('FREQ') === 'DAILY';
    const isNamed = named?.includes(codes[weekdayAt(day)] ?? '') ?? isDaily;
    if (!isNamed || (isDaily && (day - start) % interval !== 0)) continue;
    left -= 1;
    days.add(day);
  }
  for (const day of listed(event.rdate)) days.add(day);
  for (const day of listed(event.exdate)) days.delete(day);
  return days;
}

/** The days on which a bell is to ring. */
export function daysOfBell({ days, from, until, except = [] }: PaperBell): Set<number> {
  const weekdays = new Set<number>();
  for (const part of days.split(',')) {
    const [first = '', last = first] = part.split('-');
    if (part === 'daily') for (const [at] of names.entries()) weekdays.add(at);
    else for (let at = names.indexOf(first); at <= names.indexOf(last); at += 1) weekdays.add(at);
  }
  const rings = new Set<number>();
  const last = until === undefined ? paper.to : Math.min(paper.to, numberOf(until));
  for (let day = numberOf(from); day <= last; day += 1) if (weekdays.has(weekdayAt(day))) rings.add(day);
  for (const one of except) for (const day of dayList(one)) rings.delete(day);
  return rings;
}

export function dayList(one: string | { readonly start: string; readonly end: string }): number[] {
  const { start, end } = typeof one === 'string' ? { start: one, end: one } : one;
  return Array.from({ length: numberOf(end) - numberOf(start) + 1 }, (_, index) => numberOf(start) + index);
}

const text = (days: Iterable<number>) =>
  [...days]
    .sort((a, b) => a - b)
    .map(dateAt)
    .join(' ');
const whole = (time: string) => (time.length === 5 ? `${time}:00` : time);
const isOn = (value: unknown) => ['1', 'true'].includes(String(value));
const plain = (event: Kept | undefined) => ({
  ...event,
  hidden: text(event?.hidden ?? []),
  skipped: text(event?.skipped ?? []),
});

/** What is wrong where the events of a tag were made these bells, whose names are all different. */
export function wrongAfterSync(
  before: readonly Kept[],
  after: readonly Kept[],
  tag: string,
  bells: readonly PaperBell[],
): string[] {
  const wrong: string[] = [];
  const others = (events: readonly Kept[]) =>
    JSON.stringify(events.filter((one) => one.tag !== tag).map(plain));
  if (others(before) !== others(after)) wrong.push('what has another tag was touched');
  const own = after.filter((one) => one.tag === tag);
  if (own.length !== bells.length) wrong.push(`${own.length} events for ${bells.length} bells`);
  for (const bell of bells) {
    const event = own.find(({ name }) => name === bell.name);
    const old = before.find((one) => one.name === bell.name && one.tag === tag);
    if (!event) {
      wrong.push(`${bell.name} is missing`);
      continue;
    }
    const pairs: Record<string, [is: unknown, wanted: unknown]> = {
      evid: [event.evid, old?.evid ?? event.evid],
      time: [whole(event.start_time), whole(bell.time)],
      audio: [event.audio, bell.audio],
      zone: [Number(event.zone ?? 0), Number(bell.zone ?? old?.zone ?? 0)],
      enabled: [isOn(event.enabled ?? 1), true],
      auto_remove: [isOn(event.auto_remove), false],
      days: [text(daysOf(event)), text(daysOfBell(bell))],
      hidden: [text(event.hidden), text(old?.hidden ?? [])],
      skipped: [text(event.skipped), text(old?.skipped ?? [])],
    };
    for (const [what, [is, wanted]] of Object.entries(pairs)) {
      if (is !== wanted) wrong.push(`${bell.name}: ${what} is ${is}, wanted ${wanted}`);
    }
  }
  return wrong;
}

export type PaperMark = 'skip' | 'unskip' | 'exclude' | 'unexclude';

const stateOn = (event: Kept, day: number) => {
  if (!daysOf(event).has(day) || event.hidden.has(day)) return 'silent';
  return event.skipped.has(day) ? 'skipped' : 'rings';
};

/** What is wrong where days were marked, for the events with a tag or for all. */
export function wrongAfterMark(
  before: readonly Kept[],
  after: readonly Kept[],
  mark: PaperMark,
  days: readonly number[],
  tag?: string,
): string[] {
  const wrong = before.length === after.length ? [] : ['events came or went'];
  for (const old of before) {
    const event = after.find(({ evid }) => evid === old.evid);
    if (!event) continue;
    const isMeant = tag === undefined || event.tag === tag;
    for (const day of new Set([...days, ...old.hidden, ...event.hidden, ...old.skipped, ...event.skipped])) {
      const [was, is] = [stateOn(old, day), stateOn(event, day)];
      const unhidden = old.skipped.has(day) ? 'skipped' : 'rings';
      const marked = {
        skip: was === 'rings' ? 'skipped' : was,
        unskip: was === 'skipped' ? 'rings' : was,
        exclude: 'silent',
        unexclude: daysOf(old).has(day) ? unhidden : was,
      }[mark];
      const wanted = isMeant && days.includes(day) ? marked : was;
      if (is !== wanted) wrong.push(`${old.name} on ${dateAt(day)}: was ${was}, is ${is}, wanted ${wanted}`);
    }
  }
  return wrong;
}
