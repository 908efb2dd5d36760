import { LocalizedMessage } from '../../catalogue/localized-message';
import { compactDateOf, type Day, dateOf, wholeTime } from '../calendar';
import { type Database, type Place, placesIn, textOf } from '../database';
import { ical } from '../ical';
import { type Calendar, Expansion } from '../preview';
import { deviceRuleOf, readRule } from '../rule';
import { Slices } from '../slices';

/** How long an entry takes whose duration the device does not say, in seconds. */
const defaultSeconds = 60;

/**
 * What rings on some days, as an iCalendar text: one entry for each event, with its rule as far as these days go.
 * Days on which it does not ring, be they skipped or excluded, are exceptions.
 * @param calendar the device's own, which alone knows what is excluded
 * @param stamp when this was made, `YYYYMMDDTHHMMSSZ`
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

/** The days on which each event rings, by its number. */
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
      if (days) days.push(day);
      else ringing.set(Number(evid), [day]);
    }
  }
  return ringing;
}

async function entryOf(
  { event, group }: Place,
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
    // Not until the last day that rings, which may be one beside the rule: without its count it would go on to there.
    const until = `${compactDateOf(named.at(-1) ?? last)}T${time.replaceAll(':', '')}`;
    entry.addPropertyWithValue('rrule', Recur.fromString(`${rule};UNTIL=${until}`));
  }
  const rings = new Set(days);
  for (const day of named) if (!rings.has(day)) entry.addPropertyWithValue('exdate', timeOn(day));
  const said = new Set([first, ...named]);
  for (const day of days) if (!said.has(day)) entry.addPropertyWithValue('rdate', timeOn(day));
  return entry.toString();
}

/** The rule of what rings on more than one day, and the days that it names between the first and the last. */
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
  // The entry begins on the first day that rings, so the rule has to name that one to keep its rhythm.
  return named[0] === first ? { rule: deviceRuleOf(read), named } : { rule: '', named: [] };
}
