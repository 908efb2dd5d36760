import { colorNames } from './color-names';
import type { Format } from './operation';
import { isPath, isSegment, staysBelow } from './paths';

interface FormatRule {
  readonly accepts: RegExp;
  /** A further test, for a text that matches the pattern and is not empty. */
  readonly holds?: (text: string) => boolean;
  /** Removes parts of the user's text that must not be sent. */
  readonly normalize?: (text: string) => string;
}

export const formats = {
  seconds: { accepts: /^\d+$/ },
  port: {
    accepts: /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
  },
  decibel: { accepts: /^-?\d+(?:\.\d+)?(?: ?dB)?$/ },
  dtmf: { accepts: /^[0-9*#A-D,]+$/ },
  color: {
    accepts: /^(?:[a-z]+|#[0-9a-fA-F]{6})$/,
    holds: (text) => text.startsWith('#') || colorNames.has(text),
  },
  'hex-color': { accepts: /^#[0-9a-fA-F]{6}$/ },
  date: { accepts: /^\d{4}-\d{2}-\d{2}$/, holds: isDate },
  dates: {
    accepts: /^(?:\d{4}-\d{2}-\d{2}(?:,\d{4}-\d{2}-\d{2})*)?$/,
    holds: (text) => text.split(',').every(isDate),
  },
  'start-date': {
    accepts: /^(?:\d{4}-\d{2}-\d{2})?$/,
    holds: isDate,
  },
  time: { accepts: /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/ },
  rrule: { accepts: /^/, holds: isRecurrence },
  method: { accepts: /^[A-Z]+$/ },
  json: { accepts: /^/, holds: isJson },
  'target-path': {
    accepts: /^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!\/\/)\S+$/,
  },
  'request-path': {
    accepts: /^\/(?!\/)[!-"$-[\]-~]*$/,
    holds: staysBelow,
  },
  'setting-name': {
    accepts: /^[^/]+$/,
    holds: (text) => isSegment(text) && !(text in Object.prototype),
  },
  'file-path': {
    accepts: /^[^/]+(?:\/[^/]+)*$/,
    holds: isPath,
    normalize: (text) => text.replace(/^\//, ''),
  },
  'folder-path': {
    accepts: /^[^/]+(?:\/[^/]+)*$/,
    holds: isPath,
    normalize: (text) => text.replace(/^\//, '').replace(/\/$/, ''),
  },
} as const satisfies Record<Format, FormatRule>;

export function isAcceptable(format: Format, text: string): boolean {
  const { accepts, holds }: FormatRule = formats[format];
  return accepts.test(text) && (text === '' || !holds || holds(text));
}

export function normalized(format: Format, text: string): string {
  const { normalize }: FormatRule = formats[format];
  return normalize?.(text) ?? text;
}

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

const components: ReadonlyMap<string, RegExp> = new Map([
  ['FREQ', /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/],
  ['INTERVAL', /^[1-9]\d*$/],
  ['COUNT', /^[1-9]\d*$/],
  ['UNTIL', /^\d{8}(?:T\d{6}Z?)?$/],
  ['BYDAY', /^(?:[+-]?[1-9]\d?)?(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:[+-]?[1-9]\d?)?(?:MO|TU|WE|TH|FR|SA|SU))*$/],
]);

function isRecurrence(text: string): boolean {
  const names: string[] = [];
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals));
    if (names.includes(name) || !components.get(name)?.test(part.slice(equals + 1))) return false;
    names.push(name);
  }
  return names.includes('FREQ');
}
