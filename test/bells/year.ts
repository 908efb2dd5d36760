import { dateAt, dayList, daysOfBell, numberOf, type PaperBell } from './paper-model';

/** A school's year, as somebody would write it on paper. No line of the package takes part in it. */

const terms = [
  { start: '2029-09-03', end: '2029-12-21' },
  { start: '2030-01-07', end: '2030-04-05' },
  { start: '2030-04-22', end: '2030-07-19' },
];

/** Eleven of them, beside the time between the terms. */
const holidays = [
  ...['2029-10-03', '2029-10-22', '2029-10-31', '2029-11-01', '2029-11-21', '2030-02-18'],
  ...['2030-03-04', '2030-05-01', '2030-05-30', '2030-06-10', '2030-06-20'],
];

/** School ends at noon. */
const early = [
  { start: '2029-12-17', end: '2029-12-21' },
  { start: '2030-07-15', end: '2030-07-19' },
];

/** No bell rings while people write. */
const exams = { start: '2030-05-13', end: '2030-05-17' };

/** Three types of days: long ones, Wednesdays, Fridays. */
const types: readonly [name: string, days: string, bells: Readonly<Record<string, string>>][] = [
  [
    'long',
    'mon,tue,thu',
    {
      '07:55': 'Warning',
      '08:00': 'First lesson',
      '09:35': 'Break',
      '09:55': 'Second lesson',
      '13:00': 'Lunch',
      '15:30': 'End',
    },
  ],
  ['Wednesday', 'wed', { '08:25': 'Warning', '08:30': 'First lesson', '10:00': 'Break', '13:00': 'End' }],
  ['Friday', 'fri', { '07:55': 'Warning', '08:00': 'First lesson', '09:35': 'Break', '13:30': 'End' }],
];
const noon = '12:00';

/** The bells as a flow gives them: each type of day once a term, and the end of early days. */
export function bellsOfTheYear(): PaperBell[] {
  const lessons = terms.flatMap(({ start, end }, index) =>
    types.flatMap(([type, days, list]) =>
      Object.entries(list).map(([time, name]) => ({
        ...{ name: `${name} (${type}, term ${index + 1})`, time, days, audio: 'bell-na.wav' },
        ...{ from: start, until: end, except: [...holidays, exams, ...(time > noon ? early : [])] },
      })),
    ),
  );
  const ends = early.map(({ start, end }) => ({
    ...{ name: `Early end ${start}`, time: noon, days: 'mon-fri', audio: 'gong.wav' },
    ...{ from: start, until: end },
  }));
  return [...lessons, ...ends];
}

/** Returns the bells of each day, as time and name. */
export function expectedYear(first: string, count: number): Record<string, string[]> {
  const bells = bellsOfTheYear().map((bell) => ({ bell, days: daysOfBell(bell) }));
  const ringsOn = (day: number) =>
    bells.filter(({ days }) => days.has(day)).map(({ bell: { time, name } }) => `${time} ${name}`);
  const days = Array.from({ length: count }, (_, index) => numberOf(first) + index);
  return Object.fromEntries(days.map((day) => [dateAt(day), ringsOn(day)]));
}

/** The same year as a calendar program would write it: local times of a zone, exceptions as dates and as times. */
export function calendarOfTheYear(): string {
  const entries = bellsOfTheYear().flatMap(entryOf);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//A school//EN', ...entries, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

const codes: Readonly<Record<string, string>> = {
  'mon,tue,thu': 'MO,TU,TH',
  wed: 'WE',
  fri: 'FR',
  'mon-fri': 'MO,TU,WE,TH,FR',
};

function entryOf(bell: PaperBell, index: number): string[] {
  const compact = (date: string) => date.replaceAll('-', '');
  const time = `${bell.time.replace(':', '')}00`;
  // A calendar begins a series on a day on which it happens.
  const [first = numberOf(bell.from)] = daysOfBell({ ...bell, except: [] });
  const excepted = (bell.except ?? []).flatMap(dayList).toSorted((a, b) => a - b);
  return [
    'BEGIN:VEVENT',
    `UID:bell-${index}@school`,
    'DTSTAMP:20290101T000000Z',
    `SUMMARY:${bell.name.replaceAll(',', '\\,')}`,
    `DTSTART:${compact(dateAt(first))}T${time}`,
    `RRULE:FREQ=WEEKLY;BYDAY=${codes[bell.days]};UNTIL=${compact(bell.until ?? '')}T235959`,
    ...excepted.map((day, count) =>
      count % 2 === 0
        ? `EXDATE;VALUE=DATE:${compact(dateAt(day))}`
        : `EXDATE:${compact(dateAt(day))}T${time}`,
    ),
    'END:VEVENT',
  ];
}
