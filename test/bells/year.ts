/**
 * A school's year, as somebody would write it on paper, and by simple rules of this file what rings on each day. No
 * line of the package takes part in it.
 */
type Bell = Record<string, unknown>;

const terms = [
  { start: '2029-09-03', end: '2029-12-21' },
  { start: '2030-01-07', end: '2030-04-05' },
  { start: '2030-04-22', end: '2030-07-19' },
];

/** Eleven of them, beside the time between the terms. */
const holidays = [
  '2029-10-03',
  '2029-10-22',
  '2029-10-31',
  '2029-11-01',
  '2029-11-21',
  '2030-02-18',
  '2030-03-04',
  '2030-05-01',
  '2030-05-30',
  '2030-06-10',
  '2030-06-20',
];

/** School ends at noon. */
const early = [
  { start: '2029-12-17', end: '2029-12-21' },
  { start: '2030-07-15', end: '2030-07-19' },
];

/** No bell rings while people write. */
const exams = { start: '2030-05-13', end: '2030-05-17' };

/** Three types of days: long ones, Wednesdays, Fridays. */
const days: Readonly<Record<string, readonly [time: string, name: string][]>> = {
  'mon,tue,thu': [
    ['07:55', 'Warning'],
    ['08:00', 'First lesson'],
    ['09:35', 'Break'],
    ['09:55', 'Second lesson'],
    ['13:00', 'Lunch'],
    ['15:30', 'End'],
  ],
  wed: [
    ['08:25', 'Warning'],
    ['08:30', 'First lesson'],
    ['10:00', 'Break'],
    ['13:00', 'End'],
  ],
  fri: [
    ['07:55', 'Warning'],
    ['08:00', 'First lesson'],
    ['09:35', 'Break'],
    ['13:30', 'End'],
  ],
};
const noon = '12:00';
const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const shortNames: Readonly<Record<string, string>> = {
  'mon,tue,thu': 'long',
  wed: 'Wednesday',
  fri: 'Friday',
};

/** The bells as a flow gives them: each type of day once a term, and the end of early days. */
export function bellsOfTheYear(): Bell[] {
  const bells: Bell[] = [];
  for (const [index, { start, end }] of terms.entries()) {
    for (const [on, list] of Object.entries(days)) {
      for (const [time, name] of list) {
        bells.push({
          name: `${name} (${shortNames[on]}, term ${index + 1})`,
          time,
          days: on,
          audio: 'bell-na.wav',
          from: start,
          until: end,
          except: [...holidays, exams, ...(time > noon ? early : [])],
        });
      }
    }
  }
  for (const { start, end } of early) {
    bells.push({
      name: `Early end ${start}`,
      time: noon,
      days: 'mon-fri',
      audio: 'gong.wav',
      from: start,
      until: end,
    });
  }
  return bells;
}

/** What rings on each of 400 days, as time and name. */
export function expectedYear(first: string): Record<string, string[]> {
  const expected: Record<string, string[]> = {};
  for (let count = 0; count < 400; count += 1) {
    const date = new Date(Date.parse(`${first}T12:00:00Z`) + count * 86_400_000);
    expected[date.toISOString().slice(0, 10)] = ringsOn(
      date.toISOString().slice(0, 10),
      names[date.getUTCDay()] ?? '',
    );
  }
  return expected;
}

function ringsOn(date: string, weekday: string): string[] {
  const term = terms.findIndex(({ start, end }) => date >= start && date <= end);
  if (term < 0 || weekday === 'sat' || weekday === 'sun') return [];
  const earlyWeek = early.find(({ start, end }) => date >= start && date <= end);
  const rung: string[] = [];
  if (!holidays.includes(date) && !(date >= exams.start && date <= exams.end)) {
    for (const [on, list] of Object.entries(days)) {
      if (!on.split(',').includes(weekday)) continue;
      for (const [time, name] of list) {
        if (!(earlyWeek && time > noon)) rung.push(`${time} ${name} (${shortNames[on]}, term ${term + 1})`);
      }
    }
  }
  if (earlyWeek) rung.push(`${noon} Early end ${earlyWeek.start}`);
  return rung;
}

/** The same year as a calendar program would write it: local times of a zone, exceptions as dates and as times. */
export function calendarOfTheYear(): string {
  const entries = bellsOfTheYear().map((bell, index) => entryOf(bell, index));
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//A school//EN',
    ...entries.flat(),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

const codes: Readonly<Record<string, string>> = {
  'mon,tue,thu': 'MO,TU,TH',
  wed: 'WE',
  fri: 'FR',
  'mon-fri': 'MO,TU,WE,TH,FR',
};

function entryOf(bell: Bell, index: number): string[] {
  const time = `${String(bell.time).replace(':', '')}00`;
  const excepted = allDates().filter((date) => isExcepted(bell, date));
  const compact = (date: unknown) => String(date).replaceAll('-', '');
  const exceptions = excepted.map((date, count) =>
    count % 2 === 0 ? `EXDATE;VALUE=DATE:${compact(date)}` : `EXDATE:${compact(date)}T${time}`,
  );
  return [
    'BEGIN:VEVENT',
    `UID:bell-${index}@school`,
    'DTSTAMP:20290101T000000Z',
    `SUMMARY:${String(bell.name).replaceAll(',', '\\,')}`,
    `DTSTART:${compact(firstDay(bell))}T${time}`,
    `RRULE:FREQ=WEEKLY;BYDAY=${codes[String(bell.days)]};UNTIL=${compact(bell.until)}T235959`,
    ...exceptions,
    'END:VEVENT',
  ];
}

function allDates(): string[] {
  return Array.from({ length: 400 }, (_, count) =>
    new Date(Date.parse('2029-09-01T12:00:00Z') + count * 86_400_000).toISOString().slice(0, 10),
  );
}

function isExcepted({ except = [] }: Bell, date: string): boolean {
  return (except as (string | { start: string; end: string })[]).some((one) =>
    typeof one === 'string' ? one === date : date >= one.start && date <= one.end,
  );
}

/** A calendar begins a series on a day on which it happens. */
function firstDay({ days: on, from }: Bell): string {
  const wanted = String(on) === 'mon-fri' ? ['mon', 'tue', 'wed', 'thu', 'fri'] : String(on).split(',');
  const found = allDates().find(
    (date) => date >= String(from) && wanted.includes(names[new Date(`${date}T12:00:00Z`).getUTCDay()] ?? ''),
  );
  return found ?? '';
}
