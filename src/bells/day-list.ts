import { type Day, dayOf } from './calendar';

/** More days than ten years have are a mistake. */
const mostDays = 3_660;

/** The days that a list names, and what is wrong with it. */
export interface DayList {
  readonly days: ReadonlySet<Day>;
  /** Sentences that begin with the place. */
  readonly findings: readonly string[];
}

/**
 * Reads a day list: a date, an object of `start` and `end` (both included), or a list of these.
 * @param place where it stands, for example `bells[2].except`
 */
export function readDayList(given: unknown, place: string): DayList {
  const days = new Set<Day>();
  const findings: string[] = [];
  const entries = Array.isArray(given) ? given : [given];
  for (const [index, entry] of entries.entries()) {
    readEntry(entry, Array.isArray(given) ? `${place}[${index}]` : place, days, findings);
    if (days.size > mostDays || findings.length > mostDays) {
      return { days, findings: [`${place} is too long: it may name ${mostDays} days`] };
    }
  }
  return { days, findings };
}

function readEntry(entry: unknown, place: string, days: Set<Day>, findings: string[]): void {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
    readSpan(entry as Readonly<Record<string, unknown>>, place, days, findings);
    return;
  }
  const day = readDay(entry, place, findings);
  if (day !== undefined) days.add(day);
}

function readSpan(
  span: Readonly<Record<string, unknown>>,
  place: string,
  days: Set<Day>,
  findings: string[],
): void {
  const unknown = Object.keys(span).filter((key) => key !== 'start' && key !== 'end');
  if (unknown.length > 0) findings.push(`${place} may hold start and end, not ${unknown[0]?.slice(0, 40)}`);
  const start = readDay(span.start, `${place}.start`, findings);
  const end = readDay(span.end, `${place}.end`, findings);
  if (start === undefined || end === undefined) return;
  if (end < start) findings.push(`${place}.end is before its start`);
  for (let day = start; day <= Math.min(end, start + mostDays); day += 1) days.add(day);
}

function readDay(given: unknown, place: string, findings: string[]): Day | undefined {
  const day = typeof given === 'string' ? dayOf(given) : undefined;
  if (day === undefined) findings.push(`${place} must be a date such as 2026-05-31; got ${shown(given)}`);
  return day;
}

/** What came, cut to what a sentence can hold. */
export function shown(given: unknown): string {
  if (given === undefined) return 'nothing';
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 40));
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  return Array.isArray(given) ? 'a list' : given === null ? 'null' : `an ${typeof given}`;
}
