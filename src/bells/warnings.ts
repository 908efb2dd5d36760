import { localized, localizedPhrase, type Text } from '../catalogue/localized-message';
import { Slices } from '../kernel/time/slices';
import { type Bell, titleOf } from './bell';
import { type Day, dateOf } from './calendar';
import { textOf } from './database';
import type { ScheduledBell } from './plan';

export interface Moment {
  readonly day: Day;
  readonly seconds: number;
}

/** Number of days that `clashesOf` searches after the start of each bell. */
const lookahead = 400;

const maxWarnings = 20;

/** Creates the text of a warning on demand, since only the first `maxWarnings` warnings are shown. */
type Warning = () => Text;

/**
 * Returns warnings about valid bells that might be mistakes.
 * @param tones names of the device's audio files; undefined if unknown
 */
export async function warningsOf(
  scheduled: readonly ScheduledBell[],
  now: Moment,
  tones: readonly string[] | undefined,
): Promise<readonly Text[]> {
  const slices = new Slices();
  const past = scheduled
    .filter((one) => isPast(one, now))
    .map(
      ({ bell }): Warning =>
        () =>
          localized('allPast', { place: titleOf(bell) }),
    );
  const warnings = [
    ...past,
    ...missingAudio(scheduled, tones),
    ...(await sameMinutes(scheduled, now.day, slices)),
  ];
  const named = warnings.slice(0, maxWarnings).map((warning) => warning());
  const more = warnings.length - named.length;
  return more > 0 ? [...named, localizedPhrase('more', { count: String(more) })] : named;
}

function isPast({ bell, occurrence: { last } }: ScheduledBell, now: Moment): boolean {
  if (last === undefined || last > now.day) return false;
  return last < now.day || secondsOf(bell.time) <= now.seconds;
}

function missingAudio(scheduled: readonly ScheduledBell[], tones: readonly string[] | undefined): Warning[] {
  if (!tones) return [];
  const known = new Set(tones);
  return scheduled.flatMap(({ bell }) => {
    const { audio } = bell.fields;
    if (typeof audio !== 'string' || known.has(audio) || known.has(audio.replace(/^tones\//, ''))) return [];
    return [() => localized('audioMissing', { place: titleOf(bell), audio: audio.slice(0, 80) })];
  });
}

/** Each bell gets at most one warning. */
async function sameMinutes(
  scheduled: readonly ScheduledBell[],
  today: Day,
  slices: Slices,
): Promise<Warning[]> {
  const minutes = new Map<string, ScheduledBell[]>();
  for (const one of scheduled) {
    if (slices.isOver) await slices.next();
    if (!one.bell.isEnabled) continue;
    const minute = `${one.bell.time.slice(0, 5)} ${zoneOf(one)}`;
    const others = minutes.get(minute);
    if (others) others.push(one);
    else minutes.set(minute, [one]);
  }
  const found: Warning[] = [];
  for (const together of minutes.values()) {
    const clashes = together.length > 1 ? await clashesOf(together, today, slices) : [];
    for (const clash of clashes) found.push(clash);
  }
  return found;
}

async function clashesOf(together: readonly ScheduledBell[], today: Day, slices: Slices): Promise<Warning[]> {
  const begin = ([, { occurrence }]: [number, ScheduledBell]) => Math.max(today, occurrence.start);
  const waiting = [...together.entries()].sort((a, b) => begin(b) - begin(a));
  const found = new Map<number, Warning>();
  let active: [number, ScheduledBell][] = [];
  let end = today;
  for (let day = today; found.size < together.length - 1; day += 1) {
    if (slices.isOver) await slices.next();
    const isIdle = active.length < 2 || day > end;
    const next = waiting.at(-1);
    if (isIdle && !next) break;
    if (isIdle && next) day = Math.max(day, begin(next));
    for (let one = waiting.at(-1); one && begin(one) <= day; one = waiting.at(-1)) {
      active.push(one);
      waiting.pop();
      end = day + lookahead;
    }
    active = active.filter(([, { occurrence }]) => (occurrence.last ?? day) >= day);
    const ringing: [number, ScheduledBell][] = [];
    for (const one of active) {
      if (slices.isOver) await slices.next();
      if (one[1].occurrence.ringsOn(day)) ringing.push(one);
    }
    const [first, ...others] = ringing.sort(([a], [b]) => a - b);
    for (const [place, one] of others) {
      if (first && !found.has(place)) found.set(place, () => sameMinute(one, first[1].bell, day));
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([, warning]) => warning);
}

/** A bell without a zone keeps the zone of its existing event. */
function zoneOf({ bell, event }: ScheduledBell): string {
  return bell.zone === '' && event ? textOf(event, 'zone') : bell.zone;
}

function sameMinute(one: ScheduledBell, other: Bell, day: Day): Text {
  const zone = zoneOf(one);
  const names = { place: titleOf(one.bell), other: titleOf(other) };
  const values = { ...names, time: one.bell.time.slice(0, 5), date: dateOf(day), zone };
  return localized(zone === '' ? 'sameMinute' : 'sameMinuteZone', values);
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}
