import assert from 'node:assert/strict';
import { dateOf, dayOf } from '../../src/bells/calendar';
import { allEntries } from '../../src/bells/calendar-file/entries';
import { importBells } from '../../src/bells/calendar-file/import-bells';
import { importDays } from '../../src/bells/calendar-file/import-days';

export const dayOn = (date: string) => dayOf(date) ?? assert.fail(date);
const today = dayOn('2026-09-01');

/** The text of a calendar file with these entries. */
export function calendar(...entries: readonly string[][]): string {
  const events = entries.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
}

/** Does something while this machine's time zone is another one. */
export async function inZone<T>(zone: string, work: () => Promise<T>): Promise<T> {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

/** The bells of a calendar file, on a machine in this zone. */
export async function bells(ics: string, zone = 'Europe/Berlin', filter = allEntries) {
  const imported = await inZone(zone, () => importBells(ics, 'bell-na.wav', {}, today, filter));
  const { bells: found, notImported } = imported ?? assert.fail('too much');
  return { given: found.map(({ given }) => given), notImported };
}

/** The days of a calendar file within two dates, on a machine in this zone. */
export async function holidays(ics: string, zone: string, from: string, until: string, filter = allEntries) {
  const span = { from: dayOn(from), until: dayOn(until) };
  const imported = await inZone(zone, () => importDays(ics, span, today, filter));
  const { days, notImported } = imported ?? assert.fail('too much');
  const names = [...days]
    .sort(([a], [b]) => a - b)
    .map(([day, of]) => `${dateOf(day)} ${[...of].join(', ')}`);
  return { days: names.map((one) => one.slice(0, 10)), names, notImported };
}
