import { localizedPhrase, type Text } from '../catalogue/localized-message';
import type { FormatPhrase } from '../catalogue/phrases';
import { type Day, dayOf } from './calendar';

/** Maximum number of days in a list: ten years. A longer list is reported as a mistake. */
const maxDays = 3_660;

interface DayList {
  readonly days: ReadonlySet<Day>;
  readonly findings: readonly Text[];
}

/**
 * Parses a day list: a date, an object of `start` and `end` (both included), or a list of dates and such
 * objects.
 * @param place path of the list, for example `bells[2].except`
 */
export function readDayList(
  given: unknown,
  place: string,
  formatPhrase: FormatPhrase<Text> = localizedPhrase,
): DayList {
  const days = new Set<Day>();
  const findings: Text[] = [];
  const entries = Array.isArray(given) ? given : [given];
  for (const [index, entry] of entries.entries()) {
    readEntry(entry, Array.isArray(given) ? `${place}[${index}]` : place, {
      days,
      findings,
      format: formatPhrase,
    });
    if (days.size > maxDays || findings.length > maxDays) {
      return { days, findings: [formatPhrase('tooManyDays', { place, count: String(maxDays) })] };
    }
  }
  return { days, findings };
}

interface Reading {
  readonly days: Set<Day>;
  readonly findings: Text[];
  readonly format: FormatPhrase<Text>;
}

function readEntry(entry: unknown, place: string, reading: Reading): void {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
    readSpan(entry as Readonly<Record<string, unknown>>, place, reading);
    return;
  }
  const day = readDay(entry, place, reading);
  if (day !== undefined) reading.days.add(day);
}

function readSpan(span: Readonly<Record<string, unknown>>, place: string, reading: Reading): void {
  const { days, findings, format: formatPhrase } = reading;
  const [unknown] = Object.keys(span).filter((key) => key !== 'start' && key !== 'end');
  if (unknown !== undefined) findings.push(formatPhrase('spanOnly', { place, name: unknown.slice(0, 40) }));
  const start = readDay(span.start, `${place}.start`, reading);
  const end = readDay(span.end, `${place}.end`, reading);
  if (start === undefined || end === undefined) return;
  if (end < start) findings.push(formatPhrase('spanBackwards', { place }));
  for (let day = start; day <= Math.min(end, start + maxDays); day += 1) days.add(day);
}

function readDay(
  given: unknown,
  place: string,
  { findings, format: formatPhrase }: Reading,
): Day | undefined {
  const day = typeof given === 'string' ? dayOf(given) : undefined;
  if (day === undefined)
    findings.push(
      formatPhrase('wrong', { place, limits: formatPhrase('date'), got: shown(given, formatPhrase) }),
    );
  return day;
}

export function shown(given: unknown, formatPhrase: FormatPhrase<Text>): Text {
  if (given === undefined) return formatPhrase('nothing');
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 40));
  if (Array.isArray(given)) return formatPhrase('list');
  return typeof given === 'object' && given !== null ? formatPhrase('oneObject') : String(given);
}
