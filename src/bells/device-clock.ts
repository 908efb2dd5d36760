import { duration } from '../catalogue/duration';
import { type LocalizedMessage, localized, type Text } from '../catalogue/localized-message';
import { type Day, dayAt } from './calendar';
import type { Moment } from './warnings';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** The offsets of time zones are multiples of a quarter of an hour. */
const quarterMs = 15 * minuteMs;

export interface DeviceClock {
  readonly now: Moment;
  readonly warnings: readonly Text[];
  /**
   * The reason why no time may be converted to a time of the device: its wall clock is not that of Node-RED.
   * Undefined if both are the same, or if the wall clock of the device is unknown.
   */
  readonly otherWallClock?: LocalizedMessage;
}

interface OwnClock {
  /** Time of this computer, in epoch milliseconds. */
  readonly now: number;
  readonly zoneMs: number;
}

/**
 * Compares the device's clock with the clock of this computer. Bells ring by the device's clock, so a wrong
 * date at the device moves the bells to other days.
 * @param shown local time of the device from its status (section 2.3); ignored if unreadable
 * @param offsetMs device time minus time of this computer, from the Date header of a response; undefined if
 * unknown
 */
export function readDeviceClock(shown: unknown, offsetMs: number | undefined, own: OwnClock): DeviceClock {
  const warnings: Text[] = [];
  if (offsetMs !== undefined && Math.abs(offsetMs) > minuteMs) {
    warnings.push(
      localized(offsetMs > 0 ? 'deviceAhead' : 'deviceBehind', { time: duration(offsetMs / 1000) }),
    );
  }
  const right = own.now + own.zoneMs + (offsetMs ?? 0);
  const wall = wallOf(shown);
  if (wall === undefined) return { now: momentOf(right), warnings };
  const off = wall - right;
  if (offsetMs === undefined ? Math.abs(off) > minuteMs : zoneOf(off) !== 0) {
    const much = offsetMs === undefined ? off : zoneOf(off);
    warnings.push(localized(much > 0 ? 'dayAhead' : 'dayBehind', { time: duration(much / 1000) }));
  }
  const zone = zoneOf(off);
  if (zone === 0) return { now: momentOf(wall), warnings };
  const offsets = { device: offsetOf(own.zoneMs + zone), own: offsetOf(own.zoneMs) };
  return { now: momentOf(wall), warnings, otherWallClock: localized('otherWallClock', offsets) };
}

/** Formats the offset of a wall clock: `UTC-05:00`. */
function offsetOf(zoneMs: number): string {
  const minutes = Math.round(Math.abs(zoneMs) / minuteMs);
  const [hour, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `UTC${zoneMs < 0 ? '-' : '+'}${hour}:${rest}`;
}

function zoneOf(differenceMs: number): number {
  return Math.round(differenceMs / quarterMs) * quarterMs;
}

/**
 * Parses `Tue Sep 1 07:30:00 GMT 2026` as UTC and ignores the zone in the text, which is not reliable.
 * Returns undefined if the text is unreadable.
 */
function wallOf(shown: unknown): number | undefined {
  if (typeof shown !== 'string' || shown.length > 80) return undefined;
  const words = shown.split(' ').filter((word) => word !== '');
  const [, month = '', date = '', time = ''] = words;
  const [hours, minutes, seconds] = /^\d{1,2}:\d{2}:\d{2}$/.test(time) ? time.split(':').map(Number) : [];
  const day = dayAt(Number(words.at(-1)), months.indexOf(month) + 1, Number(date));
  if (day === undefined || hours === undefined || !months.includes(month)) return undefined;
  return day * dayMs + ((hours * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
}

function momentOf(ms: number): Moment {
  const day: Day = Math.floor(ms / dayMs);
  return { day, seconds: Math.floor((ms - day * dayMs) / 1000) };
}
