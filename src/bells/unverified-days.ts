import { localized, type Text } from '../catalogue/localized-message';
import type { Bell } from './bell';
import { type Day, dateOf } from './calendar';
import { wantedOf } from './difference';
import type { ScheduledBell } from './plan';
import { type Calendar, Expansion } from './preview';

/** The maximum number of days that a sentence names; the others are counted. */
const maxNamed = 5;

/**
 * Days on which an event is to ring and did not so far. A day can be excluded on which an event does not happen, and
 * no answer of the device shows that: only when the event would ring there it is seen that it does not. To delete the
 * event and create another one would lose these days, and the number and the skips of the event with them.
 */
export interface UnverifiedDays {
  readonly bell: Bell;
  readonly evid: unknown;
  readonly days: readonly Day[];
}

/** What of a plan cannot be foreseen, of so many days from one on. */
export async function unverifiedDaysOf(
  scheduled: readonly ScheduledBell[],
  from: Day,
  count: number,
): Promise<readonly UnverifiedDays[]> {
  const expansion = new Expansion(from, from + count - 1);
  const unverified: UnverifiedDays[] = [];
  for (const one of scheduled) {
    const { bell, event, isChanged } = one;
    if (!event || !isChanged) continue;
    const before = new Set(await expansion.of({ event }));
    const after = await expansion.of({ event: wantedOf(one) });
    const days = after.filter((day) => !before.has(day));
    if (days.length > 0) unverified.push({ bell, evid: event.evid, days });
  }
  return unverified;
}

/** What is to be known before: that it cannot be. */
export function foreseen(unverified: readonly UnverifiedDays[]): Text | undefined {
  if (unverified.length === 0) return undefined;
  return localized('mayStaySilent', { places: named(unverified.map(({ bell }) => bell.place)) });
}

/** What is to be known after: which of the days stayed silent, by the device's own calendar. */
export function silent(unverified: readonly UnverifiedDays[], calendar: Calendar): Text[] {
  return unverified.flatMap(({ bell, days, evid }) => {
    const isShown = (day: Day) => (calendar[dateOf(day)] ?? []).some((one) => one.evid === evid);
    const hidden = days.filter((day) => !isShown(day));
    if (hidden.length === 0) return [];
    return [localized('staysSilent', { place: bell.place, dates: named(hidden.map(dateOf)) })];
  });
}

function named(all: readonly Text[]): Text {
  const [first = '', ...others] = all.slice(0, maxNamed);
  const names = others.reduce<Text>((before, next) => localized('listed', { before, next }), first);
  const more = all.length - maxNamed;
  return more > 0 ? localized('andMore', { names, count: String(more) }) : names;
}
