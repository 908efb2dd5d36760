import { type Day, dayOf } from './days';

export interface Weekday {
  /** Number of the weekday; 0 is Monday. */
  readonly weekday: number;
  /** Position in the month or year, counted from the end if negative; 0 means each such weekday. */
  readonly nth: number;
}

export interface Rule {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  readonly count: number | undefined;
  readonly until: Day | undefined;
  readonly byDay: readonly Weekday[];
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const components: Readonly<Record<string, RegExp>> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d*$/,
  COUNT: /^[1-9]\d*$/,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  BYDAY: /^([+-]?[1-9]\d?)?(SU|MO|TU|WE|TH|FR|SA)(,([+-]?[1-9]\d?)?(SU|MO|TU|WE|TH|FR|SA))*$/,
};

/** An empty rule is valid. */
export function refuseRule(text: string): string | undefined {
  if (text === '') return undefined;
  if (/\s/.test(text)) return 'must not contain whitespace';
  const names: string[] = [];
  for (const component of text.split(';')) {
    const [name = '', value = ''] = component.split('=');
    const pattern = Object.hasOwn(components, name) ? components[name] : undefined;
    if (!pattern) return `knows ${Object.keys(components).join(', ')}, not ${JSON.stringify(name)}`;
    if (names.includes(name) || !pattern.test(value) || component !== `${name}=${value}`)
      return `has a wrong ${name}: ${JSON.stringify(component)}`;
    names.push(name);
  }
  return names.includes('FREQ') ? undefined : 'must include FREQ=';
}

/** Parses a rule that passed `refuseRule` and is not empty. */
export function readRule(text: string): Rule {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]));
  const until = parts.get('UNTIL')?.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3');
  const count = parts.get('COUNT');
  return {
    frequency: (parts.get('FREQ') ?? 'DAILY') as Rule['frequency'],
    interval: Number(parts.get('INTERVAL') ?? 1),
    count: count === undefined ? undefined : Number(count),
    until: until === undefined ? undefined : (dayOf(until) ?? Number.NEGATIVE_INFINITY),
    byDay: parts.get('BYDAY')?.split(',').map(readWeekday) ?? [],
  };
}

function readWeekday(written: string): Weekday {
  return { weekday: weekdays.indexOf(written.slice(-2)), nth: Number(written.slice(0, -2) || 0) };
}
