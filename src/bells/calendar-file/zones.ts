import { type Day, dayAt } from '../calendar';
import { type Component, unescaped } from './content-lines';
import { DescribedZone } from './described-zone';
import { windowsZones } from './windows-zones';

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
  #descriptions: ReadonlyMap<string, Component> | undefined;

  /** @param around day around which the entries take place */
  constructor(
    private readonly components: readonly Component[],
    private readonly around: Day,
  ) {}

  /** Returns undefined for an unknown zone. If the calendar describes the zone, the description counts. */
  named(name: string): Promise<Zone | undefined> {
    const known = this.#known.get(name) ?? this.#find(name);
    this.#known.set(name, known);
    return known;
  }

  async #find(name: string): Promise<Zone | undefined> {
    if (name === '') return localZone;
    if (name === 'UTC') return utc;
    this.#descriptions ??= descriptionsIn(this.components);
    const description = this.#descriptions.get(name);
    const described = description && (await DescribedZone.read(description, this.around));
    if (described) return this.#isLocal(described) ? localZone : zoneOf(described);
    // The abbreviation of an unreadable description might mean another zone in the world.
    const isAmbiguous =
      description !== undefined && !name.includes('/') && !Object.hasOwn(windowsZones, name);
    return isAmbiguous ? undefined : zoneOfTheWorld(name);
  }

  /** Whether a zone has the clock of this machine, from a year before the entries to three years after. */
  #isLocal(zone: DescribedZone): boolean {
    for (let day = this.around - 366; day < this.around + 1_100; day += 1) {
      const ms = day * dayMs + dayMs / 2;
      if (zone.offsetAt(ms) !== -new Date(ms).getTimezoneOffset() * 60_000) return false;
    }
    return true;
  }
}

function zoneOf(described: DescribedZone): Zone {
  return {
    utcOf: (wall) => described.utcOf(msOf(wall)),
    wallOf: (ms) => wallAt(ms + described.offsetAt(ms)),
  };
}

function descriptionsIn(components: readonly Component[]): ReadonlyMap<string, Component> {
  const found = new Map<string, Component>();
  for (const component of components) {
    if (component.name !== 'VTIMEZONE') continue;
    for (const line of component.lines) {
      const id = unescaped(line.value);
      if (line.name === 'TZID' && !found.has(id)) found.set(id, component);
    }
  }
  return found;
}

/** Some programs put a path before the name of the zone. */
function zoneOfTheWorld(name: string): Zone | undefined {
  const byWindows = Object.hasOwn(windowsZones, name) ? windowsZones[name] : undefined;
  const parts = name.startsWith('/') ? name.split('/') : [];
  const names = [byWindows, name, ...[3, 2].map((count) => parts.slice(-count).join('/') || undefined)];
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
