import { type LocalizedMessage, localized, type Text } from '../../catalogue/localized-message';
import type { FormatPhrase } from '../../catalogue/phrases';
import { type Day, dayOf } from '../calendar';
import { type Component, type ContentLine, placeOf, unescaped } from './content-lines';

export interface CalendarTime {
  readonly day: Day;
  /** Seconds since midnight; absent for a date. */
  readonly seconds?: number | undefined;
  /** `UTC`, the name of a zone, or empty for local time. */
  readonly zone: string;
}

/** The version of an entry: of two versions, the later one counts (RFC 5546, 2.1.4 and 2.1.5). */
interface Version {
  readonly sequence: number;
  readonly modified: string;
  readonly stamp: string;
}

export interface CalendarEvent {
  readonly uid: string;
  readonly name: string;
  readonly line: number;
  readonly version: Version;
  /** The words of its summary, categories and description, in lower case. */
  readonly words: string;
  readonly start: CalendarTime;
  readonly end?: CalendarTime | undefined;
  readonly duration?: number | undefined;
  /** The reason why the end or the duration cannot be read; only days need a length. */
  readonly lengthProblem?: Text | undefined;
  /** The rules of a series; empty for an entry that replaces one occurrence. */
  readonly rules: readonly string[];
  /** Excluded times (EXDATE). */
  readonly except: readonly CalendarTime[];
  /** Additional times (RDATE). */
  readonly more: readonly CalendarTime[];
  /**
   * Original time of the occurrence that this entry replaces; undefined if the entry replaces no occurrence.
   */
  readonly replaces?: CalendarTime | undefined;
  /** Whether the entry also replaces all later occurrences, which is not supported. */
  readonly replacesLater: boolean;
  readonly isCancelled: boolean;
  /** A message about an unsupported property (EXRULE); undefined if there is none. */
  readonly unsupportedProperty?: LocalizedMessage | undefined;
}

/** An entry that cannot be read. */
export interface Unreadable {
  readonly name: string;
  readonly line: number;
  readonly problem: Text;
}

export function isUnreadable(read: CalendarEvent | Unreadable): read is Unreadable {
  return 'problem' in read;
}

/** Reads an entry. An invalid time that decides on which days it takes place makes it unreadable. */
export function readEvent(
  component: Component,
  formatPhrase: FormatPhrase<Text>,
): CalendarEvent | Unreadable {
  const { lines, line } = component;
  const all = (name: string) => lines.filter((one) => one.name === name);
  const text = (name: string) => unescaped(all(name)[0]?.value ?? '');
  const name = text('SUMMARY') || 'Bell';
  const problems: Text[] = component.problem ? [component.problem] : [];
  const lengthProblems: Text[] = [];
  const times = (of: string, findings = problems) =>
    all(of).flatMap((one) => readTimes(one, findings, formatPhrase));
  const [start] = times('DTSTART');
  const [recurrence] = all('RECURRENCE-ID');
  const series = recurrence
    ? { rules: [], except: [], more: [] }
    : {
        rules: all('RRULE').flatMap(({ value }) => value.replace(/\s/g, '') || []),
        except: times('EXDATE'),
        more: times('RDATE'),
      };
  const replaces = times('RECURRENCE-ID')[0];
  if (!start) problems.push(formatPhrase('icsNoStart', { place: placeOf({ line }, formatPhrase) }));
  const [problem] = problems;
  if (problem !== undefined || !start) return { name, line, problem: problem ?? '' };
  return {
    ...series,
    end: times('DTEND', lengthProblems)[0],
    duration: durationOf(all('DURATION')[0], lengthProblems, formatPhrase),
    lengthProblem: lengthProblems[0],
    uid: text('UID'),
    name,
    line,
    version: {
      sequence: Number(text('SEQUENCE')) || 0,
      modified: text('LAST-MODIFIED'),
      stamp: text('DTSTAMP'),
    },
    words: ['SUMMARY', 'CATEGORIES', 'DESCRIPTION']
      .flatMap((property) => all(property).map(({ value }) => unescaped(value)))
      .join('\n')
      .toLowerCase(),
    start,
    replaces,
    replacesLater: recurrence?.parameters.RANGE?.toUpperCase() === 'THISANDFUTURE',
    isCancelled: text('STATUS').toUpperCase() === 'CANCELLED',
    unsupportedProperty: !recurrence && all('EXRULE').length > 0 ? localized('hasExrule') : undefined,
  };
}

/** Whether one version of an entry is later than another one. */
export function isLater({ version: one }: CalendarEvent, { version: other }: CalendarEvent): boolean {
  if (one.sequence !== other.sequence) return one.sequence > other.sequence;
  if (one.modified !== other.modified) return one.modified > other.modified;
  return one.stamp > other.stamp;
}

/** Reads the times of a line. Reads only the start of a period, such as `start/end`. */
function readTimes(line: ContentLine, findings: Text[], formatPhrase: FormatPhrase<Text>): CalendarTime[] {
  let column = line.column;
  const zone = unescaped(line.parameters.TZID ?? '');
  return line.value.split(',').flatMap((written) => {
    const place = placeOf({ line: line.line, column }, formatPhrase);
    column += written.length + 1;
    // Some programs write an empty list, or a comma after the last time.
    if (written.trim() === '' && line.name !== 'DTSTART') return [];
    const time = readTime(written.trim().split('/')[0] ?? '', zone);
    if (!time)
      findings.push(
        formatPhrase('icsTime', { place, name: line.name, got: JSON.stringify(written.slice(0, 40)) }),
      );
    return time ?? [];
  });
}

function readTime(written: string, zone: string): CalendarTime | undefined {
  if (!/^\d{8}(?:T\d{6}Z?)?$/.test(written)) return undefined;
  const day = dayOf(`${written.slice(0, 4)}-${written.slice(4, 6)}-${written.slice(6, 8)}`);
  if (day === undefined) return undefined;
  if (written.length === 8) return { day, zone: '' };
  const [hours, minutes, seconds] = [9, 11, 13].map((at) => Number(written.slice(at, at + 2)));
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const since = (hours * 60 + minutes) * 60 + Math.min(seconds, 59);
  return { day, seconds: since, zone: written.endsWith('Z') ? 'UTC' : zone };
}

function durationOf(
  line: ContentLine | undefined,
  findings: Text[],
  formatPhrase: FormatPhrase<Text>,
): number | undefined {
  if (!line) return undefined;
  const written = line.value.trim().slice(0, 80);
  const found = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(written);
  if (!found) {
    findings.push(
      formatPhrase('icsDuration', { place: placeOf(line, formatPhrase), got: JSON.stringify(written) }),
    );
    return undefined;
  }
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
}
