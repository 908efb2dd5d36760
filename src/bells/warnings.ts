import { said, saying, type Text } from '../catalogue/saying';
import type { Bell } from './bell';
import { type Day, dateOf } from './calendar';
import type { Rung } from './plan';
import { Slices } from './slices';

/** The device's clock, as days and seconds since midnight. */
export interface Moment {
  readonly day: Day;
  readonly seconds: number;
}

/** So many days are looked at for bells of the same minute. */
const lookahead = 400;

/** So many warnings a person reads; of the others it is only said how many there are. */
const mostWarnings = 20;

/**
 * What may be a mistake about bells that are right.
 * @param tones the names of the device's audio files, where they are known
 */
export async function warningsOf(
  rung: readonly Rung[],
  now: Moment,
  tones: readonly string[] | undefined,
): Promise<readonly Text[]> {
  const past = rung
    .filter((one) => isPast(one, now))
    .map(({ bell }) => said('allPast', { place: bell.place }));
  const warnings = [...past, ...missingAudio(rung, tones), ...(await sameMinutes(rung, now.day))];
  const more = warnings.length - mostWarnings;
  return more > 0 ? [...warnings.slice(0, mostWarnings), saying('more', { count: String(more) })] : warnings;
}

function isPast({ bell, occurrence: { last } }: Rung, now: Moment): boolean {
  if (last === undefined || last > now.day) return false;
  return last < now.day || secondsOf(bell.time) <= now.seconds;
}

function missingAudio(rung: readonly Rung[], tones: readonly string[] | undefined): Text[] {
  if (!tones) return [];
  const known = new Set(tones);
  return rung.flatMap(({ bell }) => {
    const { audio } = bell.fields;
    if (typeof audio !== 'string' || known.has(audio) || known.has(audio.replace(/^tones\//, ''))) return [];
    return [said('audioMissing', { place: bell.place, audio: audio.slice(0, 80) })];
  });
}

/** Bells of one zone that ring in the same minute of the same day, each named once. */
async function sameMinutes(rung: readonly Rung[], today: Day): Promise<Text[]> {
  const slices = new Slices();
  const minutes = new Map<string, Rung[]>();
  for (const one of rung) {
    if (!one.bell.isEnabled) continue;
    const minute = `${one.bell.time.slice(0, 5)} ${one.bell.zone}`;
    const others = minutes.get(minute);
    if (others) others.push(one);
    else minutes.set(minute, [one]);
  }
  const found: Text[] = [];
  for (const together of minutes.values()) {
    if (together.length < 2) continue;
    const first = new Map<Day, Rung>();
    for (const one of together) {
      if (slices.isOver) await slices.next();
      const clash = clashOf(one, first, today);
      if (clash) found.push(clash);
    }
  }
  return found;
}

function clashOf(one: Rung, first: Map<Day, Rung>, today: Day): Text | undefined {
  const { bell, occurrence } = one;
  const start = Math.max(today, occurrence.start);
  const end = Math.min(start + lookahead, occurrence.last ?? Number.POSITIVE_INFINITY);
  let clash: Text | undefined;
  for (let day = start; day <= end; day += 1) {
    if (!occurrence.ringsOn(day)) continue;
    const other = first.get(day);
    if (other) clash ??= sameMinute(bell, other.bell, day);
    else first.set(day, one);
  }
  return clash;
}

function sameMinute({ place, time, zone }: Bell, other: Bell, day: Day): Text {
  const values = { place, other: other.place, time: time.slice(0, 5), date: dateOf(day), zone };
  return said(zone === '' ? 'sameMinute' : 'sameMinuteZone', values);
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}
