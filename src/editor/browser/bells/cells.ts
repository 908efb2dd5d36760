import type { Finding, Placed } from '../table/findings';
import type { TableKind } from '../table/row-reader';
import { dayListOf, textOfDays } from './day-texts';

export const columns = [
  'name',
  'time',
  'days',
  'audio',
  'from',
  'until',
  'except',
  'zone',
  'color',
  'dtmf',
  'enabled',
  'type',
  'extension',
] as const;
export type Column = (typeof columns)[number];

export const defaultColumns: readonly Column[] = columns.slice(0, 7);

const numbers: readonly Column[] = ['zone', 'extension', 'dtmf'];

/** A bell as the form stores it. A value can have any type, since a user can write JSON by hand. */
export type GivenBell = Readonly<Record<string, unknown>>;

const origin = Symbol('the bell that the row was made of');

/**
 * A bell as texts for the table. The row keeps the stored bell, so that values that the user does not edit
 * stay unchanged.
 */
export type BellRow = Record<Column, string> & { readonly [origin]?: GivenBell };

export const bellKind: TableKind<Column> = {
  columns,
  needed: 'name',
  alone: 'name',
  titles: {
    ...(Object.fromEntries(columns.map((column) => [column, column])) as Record<Column, Column>),
    bell: 'name',
    'start time': 'time',
    start_time: 'time',
    weekdays: 'days',
    day: 'days',
    tone: 'audio',
    sound: 'audio',
    'sound file': 'audio',
    'audio file': 'audio',
    file: 'audio',
    start: 'from',
    'start date': 'from',
    start_date: 'from',
    'first day': 'from',
    end: 'until',
    'end date': 'until',
    'last day': 'until',
    exceptions: 'except',
    holidays: 'except',
    colour: 'color',
  },
};

export function rowsOf(list: unknown): BellRow[] | undefined {
  const isList = Array.isArray(list) && list.every((one) => Object(one) === one && !Array.isArray(one));
  return isList ? (list as GivenBell[]).map(rowOf) : undefined;
}

function rowOf(bell: GivenBell): BellRow {
  const cells = columns.map((column) => [column, textOf(column, bell[column])]);
  return Object.assign(Object.fromEntries(cells), { [origin]: bell });
}

export function bellOf(row: BellRow): GivenBell {
  const before = row[origin] ?? {};
  const bell: Record<string, unknown> = { ...before };
  for (const column of columns) {
    if (row[column] === textOf(column, before[column])) continue;
    const value = valueIn(column, row[column]);
    if (value === undefined) delete bell[column];
    else bell[column] = value;
  }
  return bell;
}

export function isBlank(row: BellRow): boolean {
  return columns.every((column) => row[column] === '');
}

/**
 * Returns a hint for each row whose time is before that of the last row of the same days, and after it if the
 * afternoon is meant: a timetable on paper has 1:00 behind 12:57.
 */
export function timesGoingBack(rows: readonly Placed<Column>[]): Finding[] {
  const last = new Map<string, string>();
  return rows.flatMap(({ row, line }): Finding[] => {
    const time = timeOf(row.time);
    if (!/^\d\d:\d\d(:\d\d)?$/.test(time)) return [];
    const key = [row.days, row.from, row.until, row.zone].join();
    const before = last.get(key) ?? '';
    last.set(key, time);
    const later = `${Number(time.slice(0, 2)) + 12}${time.slice(2)}`;
    if (time >= before || later <= before || later >= '24') return [];
    return [{ line, what: 'timeGoesBack', words: { before, time: row.time, later }, isHint: true }];
  });
}

function textOf(column: Column, value: unknown): string {
  if (value === undefined) return '';
  if (column === 'except') {
    const text = textOfDays(value);
    if (text !== undefined) return text;
  }
  if (column === 'days' && Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return value.join(',');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function valueIn(column: Column, text: string): unknown {
  if (text === '') return undefined;
  if (column === 'except') return dayListOf(text);
  if (column === 'time') return timeOf(text);
  if (column === 'enabled') return switchOf(text);
  return numbers.includes(column) && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/**
 * Normalizes a time to `08:00`, or to `08:00:30` if it has seconds. Spreadsheets and users also write `8:00`,
 * `8:00 AM`, `8.05`, `8h05` or `8:05 Uhr`. Any other text stays unchanged.
 */
function timeOf(text: string): string {
  const [, hour = '', minute = '', second = '', half = ''] =
    /^(\d{1,2}):(\d{2})(:\d{2})?\s?([ap]m)?(?:\s?Uhr)?$/i.exec(text) ??
    // Before a dot, an hour of 0 is not accepted, since a spreadsheet writes 06:00, a quarter of a day, as
    // 0.25.
    /^([1-9]|0[1-9]|1\d|2[0-3])\.([0-5]\d)(?:\s?Uhr)?$/i.exec(text) ??
    /^(\d{1,2})\s?h\s?(\d{2})$/i.exec(text) ??
    [];
  if (hour === '') return text;
  const isLate = half.toLowerCase() === 'pm';
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (isLate ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}${second}`;
}

function switchOf(text: string): unknown {
  const word = text.toLowerCase();
  if (['true', 'yes', '1', 'on'].includes(word)) return true;
  return ['false', 'no', '0', 'off'].includes(word) ? false : text;
}
