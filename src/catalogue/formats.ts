import { colorNames } from './color-names';
import type { Format } from './operation';
import { isPath, isSegment } from './paths';
import { isRecurrence } from './recurrence';

interface FormatRule {
  /** What a text must look like. */
  readonly accepts: RegExp;
  /** What it must be beyond that. */
  readonly holds?: (text: string) => boolean;
  /** Takes off what may be written but is not sent. */
  readonly normalize?: (text: string) => string;
  /** How a sentence to a person says it. */
  readonly words: string;
}

/** What a format accepts, and how a sentence to a person says so. */
export const formats = {
  seconds: { accepts: /^\d+$/, words: 'whole seconds, 0 or more' },
  port: {
    accepts: /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
    words: 'a port number from 1 to 65535',
  },
  decibel: { accepts: /^-?\d+(?:\.\d+)?(?: ?dB)?$/, words: 'decibels such as 65 or -12dB' },
  dtmf: { accepts: /^[0-9*#A-D,]+$/, words: 'of digits, *, #, A to D, and commas for pauses of 500 ms' },
  color: {
    accepts: /^(?:[a-z]+|#[0-9a-fA-F]{6})$/,
    holds: (text) => text.startsWith('#') || colorNames.has(text),
    words: 'an SVG color name in small letters, such as navy, or a code such as #1a2b3c',
  },
  'hex-color': { accepts: /^#[0-9a-fA-F]{6}$/, words: 'a color code such as #1a2b3c' },
  date: { accepts: /^\d{4}-\d{2}-\d{2}$/, holds: isDate, words: 'a date such as 2026-05-31' },
  dates: {
    accepts: /^(?:\d{4}-\d{2}-\d{2}(?:,\d{4}-\d{2}-\d{2})*)?$/,
    holds: (text) => text === '' || text.split(',').every(isDate),
    words: 'dates such as 2026-05-31, with commas between them',
  },
  'start-date': {
    accepts: /^(?:\d{4}-\d{2}-\d{2})?$/,
    holds: (text) => text === '' || isDate(text),
    words: 'a date such as 2026-05-31, or empty for today',
  },
  time: { accepts: /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, words: 'a time such as 07:30 or 07:30:15' },
  rrule: {
    accepts: /^\S*$/,
    holds: (text) => text === '' || isRecurrence(text),
    words:
      'empty or a rule such as FREQ=WEEKLY;BYDAY=MO,FR without blanks, of FREQ (DAILY, WEEKLY, MONTHLY, YEARLY), INTERVAL, COUNT, UNTIL and BYDAY',
  },
  json: { accepts: /^/, holds: (text) => text === '' || isJson(text), words: 'a text that holds JSON' },
  'target-path': {
    accepts: /^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!\/\/)\S+$/,
    words: 'a path such as /api/controls/tone/stop, without protocol and host',
  },
  'request-path': {
    accepts: /^\/(?!\/)[!-"$-[\]-~]*$/,
    holds: (text) => !/\/(?:\.|%2e){1,2}(?=[/?]|$)/i.test(text),
    words:
      'a path such as /api/info/about: beginning with exactly one slash, percent-encoded, without "#", and without "." and ".." as parts',
  },
  'setting-name': {
    accepts: /^[^/]+$/,
    holds: (text) => isSegment(text) && !(text in Object.prototype),
    words: 'the name of a setting such as audio.page.vol, without slash',
  },
  'file-path': {
    accepts: /^[^/]+(?:\/[^/]+)*$/,
    holds: isPath,
    normalize: (text) => text.replace(/^\//, ''),
    words: 'a path in the file manager such as tones/chime.wav, without "." and ".." and empty parts',
  },
  'folder-path': {
    accepts: /^[^/]+(?:\/[^/]+)*$/,
    holds: isPath,
    normalize: (text) => text.replace(/^\//, '').replace(/\/$/, ''),
    words: 'a folder of the file manager such as tones, without "." and ".." and empty parts',
  },
} as const satisfies Record<Format, FormatRule>;

/** Whether a text of a format is acceptable, after its `normalize`. */
export function isAcceptable(format: Format, text: string): boolean {
  const { accepts, holds }: FormatRule = formats[format];
  return accepts.test(text) && (holds?.(text) ?? true);
}

/** A text as it is sent. */
export function normalized(format: Format, text: string): string {
  const { normalize }: FormatRule = formats[format];
  return normalize?.(text) ?? text;
}

/** Whether a text such as `2026-02-29` is a day of the calendar. */
function isDate(text: string): boolean {
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(Number(text.slice(0, 4)), month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
