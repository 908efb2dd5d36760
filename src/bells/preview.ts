import { LocalizedMessage } from '../catalogue/localized-message';
import { Slices } from '../kernel/time/slices';
import { type Day, dateOf, dayOf, daysIn } from './calendar';
import { type DeviceEvent, isEnabled, type PlacedEvent, textOf } from './database';
import { daysOf } from './recurrence';
import { readRule } from './rule';

/** An instance record (section 2.6a); `evid` is null for an event that does not exist on the device yet. */
export interface Instance {
  readonly evid: unknown;
  readonly color: unknown;
  readonly name: unknown;
  readonly start_time: unknown;
  readonly skipped: number;
}

export type Calendar = Readonly<Record<string, readonly Instance[]>>;

export interface Range {
  readonly format: string;
  readonly events: Calendar;
}

export function instanceOf(event: DeviceEvent, isSkipped: boolean): Instance {
  const { evid = null, color = null, name, start_time } = event;
  return { evid, color, name, start_time, skipped: isSkipped ? 1 : 0 };
}

/** Returns a function that finds the ids of the events on a day of a calendar. */
export function shownEvents(
  calendar: Calendar,
  idOf: (evid: unknown) => unknown = (evid) => evid,
): (day: Day) => ReadonlySet<unknown> {
  const shown = new Map<Day, ReadonlySet<unknown>>();
  return (day) => {
    const known = shown.get(day) ?? new Set(calendar[dateOf(day)]?.map(({ evid }) => idOf(evid)));
    shown.set(day, known);
    return known;
  };
}

/** Caches the days of each rule and of each list of dates, since many events share them. */
export class Expansion {
  readonly #slices = new Slices();
  readonly #known = new Map<string, readonly Day[]>();
  readonly #listed = new Map<unknown, readonly Day[]>();

  constructor(
    private readonly from: Day,
    private readonly end: Day,
  ) {}

  /**
   * Returns the days of an event within the range, including skipped days; empty for a disabled event. An
   * event in a group uses the start, rule and additional days of the group.
   */
  async of({ event, group }: PlacedEvent): Promise<readonly Day[]> {
    if (this.#slices.isOver) await this.#slices.next();
    if (!isEnabled(event)) return [];
    const dates = group?.fields ?? event;
    const regular = await this.byRule(textOf(dates, 'start_date'), textOf(dates, 'rrule'));
    const more = this.#daysListed(dates.rdate);
    const except = new Set(this.#daysListed(event.exdate));
    const all = more.length === 0 ? regular : [...new Set([...regular, ...more])].sort((a, b) => a - b);
    return except.size === 0 ? all : all.filter((day) => !except.has(day));
  }

  #daysListed(dates: unknown): readonly Day[] {
    const known = this.#listed.get(dates);
    if (known) return known;
    const days = [...new Set(daysIn(dates))].filter((day) => day >= this.from && day <= this.end);
    this.#listed.set(dates, days);
    return days;
  }

  async byRule(startDate: string, rrule: string): Promise<readonly Day[]> {
    const key = `${startDate} ${rrule}`;
    const known = this.#known.get(key);
    if (known) return known;
    const days = await this.#expand(dayOf(startDate), rrule);
    this.#known.set(key, days);
    return days;
  }

  async #expand(start: Day | undefined, rrule: string): Promise<readonly Day[]> {
    if (start === undefined) return [];
    if (rrule === '') return start >= this.from && start <= this.end ? [start] : [];
    const rule = readRule(rrule);
    if (rule instanceof LocalizedMessage) return [];
    const days: Day[] = [];
    for await (const day of daysOf(start, rule, this.end, this.#slices, this.from)) {
      if (day >= this.from) days.push(day);
    }
    return days;
  }
}
