import { type LocalizedMessage, localized, type Text } from '../../catalogue/localized-message';
import type { FormatPhrase } from '../../catalogue/phrases';
import { type Day, dayOf } from '../calendar';
import { type Component, type ContentLine, placeOf } from './content-lines';

export interface CalendarTime {
  readonly day: Day;
  /** Seconds since midnight; absent for a date. */
  readonly seconds?: number | undefined;
  /** `UTC`, the name of a zone, or empty for local time. */
  readonly zone: string;
}

export interface CalendarEvent {
  readonly uid: string;
  readonly name: string;
  readonly start: CalendarTime;
  readonly end?: CalendarTime | undefined;
  readonly duration?: number | undefined;
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

/**
 * Returns undefined for an entry without a valid start. Each invalid time or duration, and a missing start,
 * becomes a finding.
 */
export function readEvent(
  { lines }: Component,
  findings: Text[],
  formatPhrase: FormatPhrase<Text>,
): CalendarEvent | undefined {
  const all = (name: string) => lines.filter((line) => line.name === name);
  const text = (name: string) => all(name)[0]?.value.trim() ?? '';
  const times = (name: string) => all(name).flatMap((line) => readTimes(line, findings, formatPhrase));
  const [start] = times('DTSTART');
  const dated = {
    end: times('DTEND')[0],
    duration: durationOf(all('DURATION')[0], findings, formatPhrase),
    except: times('EXDATE'),
    more: times('RDATE'),
    replaces: times('RECURRENCE-ID')[0],
  };
  if (!start) {
    const [first] = lines;
    if (first && all('DTSTART').length === 0)
      findings.push(formatPhrase('icsNoStart', { place: placeOf({ line: first.line }, formatPhrase) }));
    return undefined;
  }
  const [recurrence] = all('RECURRENCE-ID');
  return {
    ...dated,
    uid: text('UID'),
    name: unescaped(text('SUMMARY')) || 'Bell',
    start,
    rules: all('RRULE').map(({ value }) => value.trim()),
    replacesLater: recurrence?.parameters.RANGE?.toUpperCase() === 'THISANDFUTURE',
    isCancelled: text('STATUS').toUpperCase() === 'CANCELLED',
    unsupportedProperty: all('EXRULE').length > 0 ? localized('hasExrule') : undefined,
  };
}

/** Reads the times of a line. Reads only the start of a period, such as `start/end`. */
function readTimes(line: ContentLine, findings: Text[], formatPhrase: FormatPhrase<Text>): CalendarTime[] {
  let column = line.column;
  return line.value.split(',').flatMap((written) => {
    const time = readTime(written.trim().split('/')[0] ?? '', line.parameters.TZID ?? '');
    if (!time) {
      const place = placeOf({ line: line.line, column }, formatPhrase);
      findings.push(
        formatPhrase('icsTime', { place, name: line.name, got: JSON.stringify(written.slice(0, 40)) }),
      );
    }
    column += written.length + 1;
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
  const found = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(written);
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

function unescaped(text: string): string {
  return text
    .replace(/\\([\\;,nN])/g, (_, letter: string) => (letter.toLowerCase() === 'n' ? ' ' : letter))
    .trim();
}
