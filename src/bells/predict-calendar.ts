import { Slices } from '../kernel/time/slices';
import { type Day, dateOf, daysIn } from './calendar';
import { type Database, textOf } from './database';
import { wantedOf } from './difference';
import type { Plan } from './plan';
import { type Calendar, Expansion, type Instance, instanceOf, type Range, shownEvents } from './preview';

/**
 * Returns the calendar that the device would have after a plan is carried out. Unchanged events stay as in
 * `calendar`, the current calendar of the device. If a changed event is missing in `calendar` on one
 * of its days, this day is an exception of the event, and stays an exception after the plan.
 */
export async function predictCalendar(
  database: Database,
  plan: Plan,
  tag: string,
  calendar: Calendar,
  from: Day,
  count: number,
): Promise<Range> {
  const slices = new Slices();
  const expansion = new Expansion(from, from + count - 1);
  const changed = plan.scheduled.filter(({ isChanged }) => isChanged);
  const kept = new Set(
    plan.scheduled.flatMap(({ event, isChanged }) => (event && !isChanged ? [event.evid] : [])),
  );
  const owned = database.events.filter((event) => textOf(event, 'tag') === tag && !kept.has(event.evid));
  const replaced = new Set(owned.map(({ evid }) => evid));
  const byDay = new Map<Day, Instance[]>();
  const shownOn = shownEvents(calendar);
  for (let day = from; day < from + count; day += 1) {
    if (slices.isOver) await slices.next();
    byDay.set(
      day,
      (calendar[dateOf(day)] ?? []).filter(({ evid }) => !replaced.has(evid)),
    );
  }
  for (const one of changed) {
    const { event } = one;
    const hidden = event ? await hiddenDays(event) : new Set<Day>();
    const skipped = new Set(daysIn(event?.greyed_out_date));
    const wanted = wantedOf(one);
    for (const day of await expansion.of({ event: wanted })) {
      if (!hidden.has(day)) byDay.get(day)?.push(instanceOf(wanted, skipped.has(day)));
    }
  }
  const events: Record<string, readonly Instance[]> = {};
  for (const [day, instances] of byDay) {
    if (slices.isOver) await slices.next();
    events[dateOf(day)] = instances.sort((a, b) => byTime(a, b));
  }
  return { format: 'v2.0', events };

  async function hiddenDays(event: Readonly<Record<string, unknown>>): Promise<ReadonlySet<Day>> {
    const hidden = new Set<Day>();
    for (const day of await expansion.of({ event })) {
      if (slices.isOver) await slices.next();
      if (!shownOn(day).has(event.evid)) hidden.add(day);
    }
    return hidden;
  }
}

function byTime(a: Instance, b: Instance): number {
  const [one, other] = [timeOf(a), timeOf(b)];
  return one < other ? -1 : Number(one > other);
}

function timeOf({ start_time }: Instance): string {
  return typeof start_time === 'string' ? start_time : '';
}
