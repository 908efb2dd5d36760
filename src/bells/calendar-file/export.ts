import { LocalizedMessage } from '../../catalogue/localized-message';
import { Slices } from '../../kernel/time/slices';
import { compactDateOf, type Day, dateOf, wholeTime } from '../calendar';
import { type Database, type PlacedEvent, placesIn, textOf } from '../database';
import { ical } from '../ical';
import { type Calendar, Expansion } from '../preview';
import { deviceRuleOf, readRule } from '../rule';

const defaultSeconds = 60;

/**
 * Exports the events that ring within `count` days from `from` as an iCalendar text, without skipped and
 * excluded days.
 * @param calendar the calendar of the device; only the calendar shows which days are excluded
 * @param stamp time of the export as `YYYYMMDDTHHMMSSZ`
 */
export async function exportCalendar(
  database: Database,
  calendar: Calendar,
  from: Day,
  count: number,
  stamp: string,
): Promise<string> {
  const { Component } = await ical();
  const slices = new Slices();
  const whole = new Component('vcalendar');
  whole.addPropertyWithValue('version', '2.0');
  whole.addPropertyWithValue('prodid', '-//openpaging//node-red-algo//EN');
  const ringing = await ringingDays(calendar, from, count, slices);
  const expansion = new Expansion(from, from + count - 1);
  const texts: string[] = [];
  for (const place of placesIn(database)) {
    if (slices.isOver) await slices.next();
    const days = ringing.get(Number(place.event.evid));
    if (days) texts.push(await entryOf(place, days, expansion, stamp));
  }
  const [head = '', foot = ''] = whole.toString().split('END:VCALENDAR');
  return [`${head.trimEnd()}`, ...texts, `END:VCALENDAR${foot}`].join('\r\n').concat('\r\n');
}

async function ringingDays(
  calendar: Calendar,
  from: Day,
  count: number,
  slices: Slices,
): Promise<ReadonlyMap<number, readonly Day[]>> {
  const ringing = new Map<number, Day[]>();
  for (let day = from; day < from + count; day += 1) {
    if (slices.isOver) await slices.next();
    for (const { evid, skipped } of calendar[dateOf(day)] ?? []) {
      if (skipped) continue;
      const days = ringing.get(Number(evid));
      if (!days) ringing.set(Number(evid), [day]);
      else if (days.at(-1) !== day) days.push(day);
    }
  }
  return ringing;
}

async function entryOf(
  { event, group }: PlacedEvent,
  days: readonly Day[],
  expansion: Expansion,
  stamp: string,
): Promise<string> {
  const { Component, Recur, Time, Duration } = await ical();
  const [first = 0, last = first] = [days[0], days.at(-1)];
  const time = wholeTime(textOf(event, 'start_time'));
  const timeOn = (day: Day) => Time.fromDateTimeString(`${dateOf(day)}T${time}`);
  const entry = new Component('vevent');
  entry.addPropertyWithValue('uid', `${textOf(event, 'evid')}-${compactDateOf(first)}@node-red-algo`);
  entry.addPropertyWithValue('dtstamp', Time.fromJSDate(new Date(stamp), true));
  entry.addPropertyWithValue('summary', textOf(event, 'name'));
  entry.addPropertyWithValue('dtstart', timeOn(first));
  entry.addPropertyWithValue(
    'duration',
    Duration.fromSeconds(Number(textOf(event, 'duration')) || defaultSeconds),
  );
  const { rule, named } = await ruleBetween(group?.fields ?? event, first, last, expansion);
  if (rule !== '') {
    // UNTIL is the last day that the rule itself generates. If UNTIL were a later additional day, the rule
    // would also generate the days between.
    const until = `${compactDateOf(named.at(-1) ?? last)}T${time.replaceAll(':', '')}`;
    entry.addPropertyWithValue('rrule', Recur.fromString(`${rule};UNTIL=${until}`));
  }
  const rings = new Set(days);
  for (const day of named) if (!rings.has(day)) entry.addPropertyWithValue('exdate', timeOn(day));
  const coveredDays = new Set([first, ...named]);
  for (const day of days) if (!coveredDays.has(day)) entry.addPropertyWithValue('rdate', timeOn(day));
  return entry.toString();
}

/**
 * Returns the rule for the days from `first` to `last`, without UNTIL, and the days that the rule generates.
 * Both are empty for a single day, for an event without a readable rule, and for a rule that does not
 * generate `first`.
 */
async function ruleBetween(
  dates: Readonly<Record<string, unknown>>,
  first: Day,
  last: Day,
  expansion: Expansion,
): Promise<{ readonly rule: string; readonly named: readonly Day[] }> {
  const read = first === last ? undefined : readRule(textOf(dates, 'rrule'));
  if (!read || read instanceof LocalizedMessage) return { rule: '', named: [] };
  const all = await expansion.byRule(textOf(dates, 'start_date'), textOf(dates, 'rrule'));
  const named = all.filter((day) => day >= first && day <= last);
  // The entry starts on the first ringing day. With a rule that does not generate this day, the intervals
  // would shift.
  return named[0] === first ? { rule: deviceRuleOf(read), named } : { rule: '', named: [] };
}
