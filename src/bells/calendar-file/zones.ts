import { type Day, dayAt, partsOf } from '../calendar';
import { ical } from '../ical';
import type { Component } from './content-lines';
import { windowsZones } from './windows-zones';
import { lastYear, plainZone } from './zone-rules';

const dayMs = 86_400_000;

export interface Wall {
  readonly day: Day;
  readonly seconds: number;
}

export interface Zone {
  /** Converts local time in this zone to epoch milliseconds. */
  utcOf(wall: Wall): number;
  /** Converts epoch milliseconds to local time in this zone. */
  wallOf(utc: number): Wall;
  readonly isLocal?: true;
}

export const localZone: Zone = {
  isLocal: true,
  utcOf({ day, seconds }) {
    const date = new Date(day * dayMs);
    return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 0, 0, seconds).getTime();
  },
  wallOf(utc) {
    const date = new Date(utc);
    const day = dayAt(date.getFullYear(), date.getMonth() + 1, date.getDate()) ?? 0;
    return { day, seconds: (date.getHours() * 60 + date.getMinutes()) * 60 + date.getSeconds() };
  },
};

const utc: Zone = {
  utcOf: msOf,
  wallOf: wallAt,
};

export class Zones {
  readonly #known = new Map<string, Promise<Zone | undefined>>();
  #descriptions: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(private readonly components: readonly Component[]) {}

  named(name: string): Promise<Zone | undefined> {
    const known = this.#known.get(name) ?? this.#find(name);
    this.#known.set(name, known);
    return known;
  }

  async #find(name: string): Promise<Zone | undefined> {
    if (name === '') return localZone;
    if (name === 'UTC') return utc;
    return zoneOfTheWorld(name) ?? (await this.#described(name));
  }

  async #described(name: string): Promise<Zone | undefined> {
    this.#descriptions ??= descriptionsIn(this.components);
    const text = plainZone(this.#descriptions.get(name) ?? []);
    if (!text) return undefined;
    try {
      const { Component: Described, Timezone, Time } = await ical();
      const zone = new Timezone({ component: Described.fromString(text.join('\r\n')), tzid: name });
      const timeOf = ({ day, seconds }: Wall) => {
        const { year, month, date } = partsOf(day);
        const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
        return new Time({ year, month, day: date, hour, minute, second: seconds % 60, isDate: false }, zone);
      };
      // Makes ical.js calculate all years once, instead of again for each later year.
      timeOf({ day: dayAt(lastYear, 12, 31), seconds: 0 }).utcOffset();
      return {
        utcOf({ day, seconds }) {
          const later = daysLater(day);
          return (timeOf({ day: day - later, seconds }).toUnixTime() + later * 86_400) * 1000;
        },
        wallOf(ms) {
          const later = daysLater(Math.floor(ms / dayMs));
          const time = Time.fromJSDate(new Date(ms - later * dayMs), true).convertToZone(zone);
          const day = dayAt(time.year, time.month, time.day) + later;
          return { day, seconds: (time.hour * 60 + time.minute) * 60 + time.second };
        },
      };
    } catch {
      return undefined;
    }
  }
}

function descriptionsIn(components: readonly Component[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { name, lines, text } of components) {
    if (name !== 'VTIMEZONE') continue;
    for (const line of lines) {
      const id = line.value.trim();
      if (line.name === 'TZID' && !found.has(id)) found.set(id, text);
    }
  }
  return found;
}

/**
 * Returns the number of days between a day after `lastYear` and the same day of a calculated year with the
 * same weekdays; 0 for a day up to `lastYear`.
 */
function daysLater(day: Day): number {
  const { year } = partsOf(day);
  if (year <= lastYear) return 0;
  const first = dayAt(year, 1, 1);
  const length = dayAt(year + 1, 1, 1) - first;
  for (let earlier = lastYear; ; earlier -= 1) {
    const begin = dayAt(earlier, 1, 1);
    if ((first - begin) % 7 === 0 && dayAt(earlier + 1, 1, 1) - begin === length) return first - begin;
  }
}

/** Some programs put a path before the name of the zone. */
function zoneOfTheWorld(name: string): Zone | undefined {
  const [area = '', city = ''] = name.split('/').slice(-2);
  const byWindows = Object.hasOwn(windowsZones, name) ? windowsZones[name] : undefined;
  const names = [byWindows, name, name.startsWith('/') ? `${area}/${city}` : undefined];
  for (const timeZone of names) {
    const format = timeZone === undefined ? undefined : formatOf(timeZone);
    if (!format) continue;
    const { timeZone: resolved } = format.resolvedOptions();
    // UTC is the zone of a computer without a zone, so its times always count as those of another zone.
    if (resolved === 'UTC') return utc;
    if (resolved === Intl.DateTimeFormat().resolvedOptions().timeZone) return localZone;
    const wallOf = (ms: number) => wallIn(format, ms);
    return { wallOf, utcOf: (wall) => utcIn(wallOf, wall) };
  }
  return undefined;
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const number = 'numeric';
  const shape = {
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, ...shape, hourCycle: 'h23', calendar: 'gregory' });
  } catch {
    return undefined;
  }
}

function wallIn(format: Intl.DateTimeFormat, ms: number): Wall {
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { day: dayAt(year, month, day) ?? 0, seconds: (hour * 60 + minute) * 60 + second };
}

/** The second step corrects the first guess, which can lie on the other side of a clock change. */
function utcIn(wallOf: (ms: number) => Wall, wall: Wall): number {
  const wanted = msOf(wall);
  const guess = wanted - (msOf(wallOf(wanted)) - wanted);
  return wanted - (msOf(wallOf(guess)) - guess);
}

function msOf({ day, seconds }: Wall): number {
  return day * dayMs + seconds * 1000;
}

function wallAt(ms: number): Wall {
  const day = Math.floor(ms / dayMs);
  return { day, seconds: Math.floor((ms - day * dayMs) / 1000) };
}
