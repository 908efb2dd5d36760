import type { Text } from '../../catalogue/localized-message';
import type { FormatPhrase } from '../../catalogue/phrases';

/** A logical line of an iCalendar text, after unfolding (RFC 5545, 3.1). */
export interface ContentLine {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly value: string;
  /** Number of the first physical line, from 1. */
  readonly line: number;
  /** Column of the value, from 1. */
  readonly column: number;
}

/** A component: the lines between its BEGIN and its END, except the lines of inner components. */
export interface Component {
  readonly name: string;
  readonly lines: readonly ContentLine[];
  /**
   * All unfolded lines of a component directly in the calendar, including lines of inner components. Empty
   * for the calendar itself and for inner components.
   */
  readonly text: readonly string[];
}

interface CalendarText {
  readonly components: readonly Component[];
  readonly findings: readonly Text[];
}

const maxFindings = 20;

/** Matches a calendar without line breaks: a single-line field removes line breaks from pasted text. */
const inOneLine = /^\s*BEGIN:VCALENDAR\s*[A-Z]/i;

interface Open {
  readonly name: string;
  readonly line: number;
  readonly lines: ContentLine[];
  readonly text: string[];
}

/**
 * Parses a calendar in linear time. ical.js would parse the whole text in one blocking call, and the errors
 * of ical.js have neither line nor column.
 */
export function readCalendarText(text: string, formatPhrase: FormatPhrase<Text>): CalendarText {
  const components: Component[] = [];
  const findings: Text[] = [];
  const open: Open[] = [];
  const physical = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const [first = ''] = physical;
  if (inOneLine.test(first))
    return {
      components,
      findings: [formatPhrase('icsOneLine', { place: placeOf({ line: 1 }, formatPhrase) })],
    };
  for (let index = 0; index < physical.length && findings.length < maxFindings; ) {
    const number = index + 1;
    const folded = [physical[index] ?? ''];
    for (index += 1; /^[ \t]/.test(physical[index] ?? ''); index += 1)
      folded.push((physical[index] ?? '').slice(1));
    const whole = folded.join('');
    if (whole.trim() === '') continue;
    const line = readLine(whole, number, formatPhrase);
    if (isLine(line)) readInto(line, whole);
    else findings.push(line);
  }
  const [unclosed] = open;
  if (unclosed)
    findings.push(
      formatPhrase('icsUnclosed', { place: placeOf(unclosed, formatPhrase), name: unclosed.name }),
    );
  else if (components.length === 0 && findings.length === 0) {
    findings.push(formatPhrase('icsNone', { place: placeOf({ line: 1 }, formatPhrase) }));
  }
  return { components, findings };

  function readInto(line: ContentLine, whole: string): void {
    const value = line.value.trim().toUpperCase().slice(0, 40);
    if (line.name === 'BEGIN') open.push({ name: value, line: line.line, lines: [], text: [] });
    const current = open.at(-1);
    if (!current || (open[0]?.name !== 'VCALENDAR' && line.name === 'BEGIN')) {
      findings.push(
        formatPhrase('icsBefore', { place: placeOf(line, formatPhrase), name: `${line.name}:${value}` }),
      );
      open.length = 0;
      return;
    }
    // The original lines of the calendar itself are not stored, since no caller needs these lines and a
    // calendar can have many lines.
    open[1]?.text.push(whole);
    if (line.name === 'END') close(current, line, value);
    else if (line.name !== 'BEGIN') current.lines.push(line);
  }

  function close(current: Open, line: ContentLine, value: string): void {
    if (value !== current.name) {
      findings.push(
        formatPhrase('icsEnd', { place: placeOf(line, formatPhrase), got: value, name: current.name }),
      );
      return;
    }
    open.pop();
    components.push(current);
  }
}

export function placeOf(
  { line, column = 1 }: { readonly line: number; readonly column?: number },
  formatPhrase: FormatPhrase<Text>,
): Text {
  return formatPhrase('icsPlace', { field: 'ics', line: String(line), column: String(column) });
}

function isLine(read: ContentLine | Text): read is ContentLine {
  return typeof read !== 'string' && 'column' in read;
}

function readLine(whole: string, line: number, formatPhrase: FormatPhrase<Text>): ContentLine | Text {
  const pieces: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let index = 0; index < whole.length; index += 1) {
    const letter = whole[index];
    if (letter === '"') isQuoted = !isQuoted;
    if (isQuoted || (letter !== ';' && letter !== ':')) continue;
    pieces.push(whole.slice(start, index));
    start = index + 1;
    if (letter === ':') return lineOf(pieces, whole.slice(start), { line, column: start + 1 }, formatPhrase);
  }
  const got = JSON.stringify(whole.slice(0, 40));
  return formatPhrase(isQuoted ? 'icsQuote' : 'icsColon', { place: placeOf({ line }, formatPhrase), got });
}

function lineOf(
  pieces: readonly string[],
  value: string,
  place: Pick<ContentLine, 'line' | 'column'>,
  formatPhrase: FormatPhrase<Text>,
): ContentLine | Text {
  const [name = '', ...parameters] = pieces;
  if (!/^[A-Za-z0-9-]+$/.test(name))
    return formatPhrase('icsName', {
      place: placeOf({ line: place.line }, formatPhrase),
      got: JSON.stringify(name.slice(0, 40)),
    });
  const pairs = parameters.map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(0, at)).toUpperCase(), pair.slice(at + 1).replaceAll('"', '')] as const;
  });
  return { name: name.toUpperCase(), parameters: Object.fromEntries(pairs), value, ...place };
}
