import type ICAL from 'ical.js' with { 'resolution-mode': 'import' };

export type Ical = typeof ICAL;

let loaded: Promise<Ical> | undefined;

/** The library for recurrence and iCalendar. Loading it takes 50 ms, which most flows need not spend. */
export function ical(): Promise<Ical> {
  loaded ??= import('ical.js').then((module) => module.default);
  return loaded;
}
