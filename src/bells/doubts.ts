import type { Bell } from './bell';
import { type Day, dateOf } from './calendar';
import { wantedOf } from './difference';
import type { Rung } from './plan';
import { type Calendar, Expansion } from './preview';

/** So many days a sentence names; of the others it only says how many there are. */
const mostNamed = 5;

/**
 * Days on which an event is to ring and did not so far. A day can be excluded on which an event does not happen, and
 * no answer of the device shows that: only when the event would ring there it is seen that it does not.
 */
export interface Doubt {
  readonly bell: Bell;
  readonly evid: unknown;
  readonly days: readonly Day[];
}

/** What of a plan cannot be foreseen, of so many days from one on. */
export async function doubtsOf(rung: readonly Rung[], from: Day, count: number): Promise<readonly Doubt[]> {
  const expansion = new Expansion(from, from + count - 1);
  const doubts: Doubt[] = [];
  for (const one of rung) {
    const { bell, event, isChanged } = one;
    if (!event || !isChanged) continue;
    const before = new Set(await expansion.of({ event }));
    const after = await expansion.of({ event: wantedOf(one) });
    const days = after.filter((day) => !before.has(day));
    if (days.length > 0) doubts.push({ bell, evid: event.evid, days });
  }
  return doubts;
}

/** What is to be known before: that it cannot be. */
export function foreseen(doubts: readonly Doubt[]): string | undefined {
  if (doubts.length === 0) return undefined;
  const places = doubts.slice(0, mostNamed).map(({ bell }) => bell.place);
  const whose = `${places.join(', ')}${more(doubts.length)}`;
  return `${whose}: a day on which it did not ring so far stays silent if it was excluded at the device, and no answer tells`;
}

/** What is to be known after: which of the days stayed silent, by the device's own calendar. */
export function silent(doubts: readonly Doubt[], calendar: Calendar): string[] {
  return doubts.flatMap(({ bell, days, evid }) => {
    const isShown = (day: Day) => (calendar[dateOf(day)] ?? []).some((one) => one.evid === evid);
    const hidden = days.filter((day) => !isShown(day));
    if (hidden.length === 0) return [];
    const dates = `${hidden.slice(0, mostNamed).map(dateOf).join(', ')}${more(hidden.length)}`;
    return [
      `${bell.place} stays silent on ${dates}: excluded at the device before; unexclude brings it back`,
    ];
  });
}

function more(count: number): string {
  return count > mostNamed ? ` and ${count - mostNamed} more` : '';
}
