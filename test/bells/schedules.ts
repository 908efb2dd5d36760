import type { Chance } from '../catalogue/random';

type Fields = Record<string, unknown>;

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The first day that comparisons look at: two months after most schedules begin, before others do. */
export const firstDay = '2027-11-20';

/** What a device may be told, by chance: events and groups with every rule that section 2.6a allows. */
export function randomSchedule(chance: Chance): { events: Fields[]; groups: Fields[] } {
  const count = 1 + Math.floor(chance.next() * 4);
  const events = Array.from({ length: count }, (_, index) => ({
    ...dated(chance),
    ...nested(chance, `Bell ${index}`),
  }));
  const group = () => ({
    name: 'Group',
    ...dated(chance),
    events: [nested(chance, 'Inner'), nested(chance, 'Other')],
  });
  return { events, groups: chance.percent(30) ? [group()] : [] };
}

function nested(chance: Chance, name: string): Fields {
  return {
    event_type: 'play_tone',
    name,
    audio: 'bell-na.wav',
    start_time: `${chance.one(['07', '08', '12', '23'])}:${chance.one(['00', '15'])}`,
    ...(chance.percent(40) && { exdate: dates(chance) }),
    ...(chance.percent(10) && { enabled: 0 }),
  };
}

function dated(chance: Chance): Fields {
  return {
    start_date: date(chance),
    rrule: chance.percent(10) ? '' : rule(chance),
    ...(chance.percent(15) && { rdate: dates(chance) }),
  };
}

/** Most of them in the years around; 29 February and the 31st more often than by chance. */
function date(chance: Chance): string {
  const special = ['2024-02-29', '2028-02-29', '2027-08-31', '2027-12-31', '2028-01-01', '1999-12-31'];
  if (chance.percent(20)) return chance.one(special);
  const ms = Date.UTC(2026, 8, 1) + Math.floor(chance.next() * 700) * 86_400_000;
  return new Date(ms).toISOString().slice(0, 10);
}

function dates(chance: Chance): string {
  const start = Date.parse(`${firstDay}T00:00:00Z`);
  const near = () =>
    new Date(start + Math.floor(chance.next() * 400) * 86_400_000).toISOString().slice(0, 10);
  return Array.from({ length: 1 + Math.floor(chance.next() * 20) }, near).join(',');
}

function rule(chance: Chance): string {
  const frequency = chance.one(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
  const numbered = frequency === 'MONTHLY' || frequency === 'YEARLY';
  const farthest = frequency === 'YEARLY' ? 53 : 5;
  const number = () => `${chance.percent(30) ? '-' : ''}${1 + Math.floor(chance.next() * farthest)}`;
  const chosen = chance
    .some(weekdays, 40)
    .map((code) => `${numbered && chance.percent(60) ? number() : ''}${code}`);
  return [
    `FREQ=${frequency}`,
    ...(chance.percent(40) ? [`INTERVAL=${1 + Math.floor(chance.next() * 8)}`] : []),
    ...(chosen.length > 0 && chance.percent(70) ? [`BYDAY=${chosen.join(',')}`] : []),
    ...(chance.percent(20) ? [`COUNT=${1 + Math.floor(chance.next() * 150)}`] : []),
    ...(chance.percent(20) ? [`UNTIL=${date(chance).replaceAll('-', '')}`] : []),
  ].join(';');
}
