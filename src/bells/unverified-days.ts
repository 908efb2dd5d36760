import { localized, type Text } from '../catalogue/localized-message';
import { type Bell, titleOf } from './bell';
import { type Day, dateOf } from './calendar';
import { wantedOf } from './difference';
import type { ScheduledBell } from './plan';
import { type Calendar, Expansion, shownEvents } from './preview';

/** Maximum number of days or bells that a message names. The message only counts further days or bells. */
const maxNamed = 5;

/**
 * The new days of a changed event. Only the device's calendar after the change shows whether the device
 * excludes these days.
 */
export interface UnverifiedDays {
  readonly bell: Bell;
  readonly evid: unknown;
  readonly days: readonly Day[];
}

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

export function foreseen(unverified: readonly UnverifiedDays[]): Text | undefined {
  if (unverified.length === 0) return undefined;
  return localized('mayStaySilent', { places: named(unverified.map(({ bell }) => titleOf(bell))) });
}

export function silent(unverified: readonly UnverifiedDays[], calendar: Calendar): Text[] {
  const shownOn = shownEvents(calendar);
  return unverified.flatMap(({ bell, days, evid }) => {
    const hidden = days.filter((day) => !shownOn(day).has(evid));
    if (hidden.length === 0) return [];
    return [localized('staysSilent', { place: titleOf(bell), dates: named(hidden.map(dateOf)) })];
  });
}

function named(all: readonly Text[]): Text {
  const [first = '', ...others] = all.slice(0, maxNamed);
  const names = others.reduce<Text>((before, next) => localized('listed', { before, next }), first);
  const more = all.length - maxNamed;
  return more > 0 ? localized('andMore', { names, count: String(more) }) : names;
}
