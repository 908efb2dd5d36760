import type { Text } from '../../catalogue/localized-message';
import type { FormatPhrase } from '../../catalogue/phrases';
import type { Slices } from '../../kernel/time/slices';

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
  /** Number of the line of its BEGIN, from 1. */
  readonly line: number;
  readonly lines: readonly ContentLine[];
  readonly inner: readonly Component[];
  /** The reason why the component cannot be read; undefined if its lines are complete. */
  readonly problem?: Text | undefined;
}

interface CalendarText {
  /** The components directly in the calendar, and a calendar that has no END. */
  readonly components: readonly Component[];
  /** The reason why the text is no calendar; undefined if it is one. */
  readonly problem?: Text | undefined;
}

/** Matches a calendar without line breaks: a single-line field removes line breaks from pasted text. */
const inOneLine = /^\s*BEGIN:VCALENDAR\s*[A-Z]/i;

/** The times of a calendar contain no colon, but the name of their zone can contain one without quotation marks. */
const withTimes = new Set(['DTSTART', 'DTEND', 'EXDATE', 'RDATE', 'RECURRENCE-ID']);

/** Properties without which an entry would take place on other days. */
const decisive = new Set([...withTimes, 'DURATION', 'RRULE', 'EXRULE', 'STATUS', 'UID']);

/** Number of lines between two looks at the time. */
const linesPerLook = 200;

interface Open {
  readonly name: string;
  readonly line: number;
  readonly lines: ContentLine[];
  readonly inner: Component[];
  problem?: Text | undefined;
}

/**
 * Parses a calendar in linear time and in slices. A line that is no property of a calendar is left out. A
 * decisive property whose quotation marks are not closed makes its component unreadable. ical.js would parse the whole text in one
 * blocking call, and the errors of ical.js have neither line nor column.
 */
export async function readCalendarText(
  text: string,
  formatPhrase: FormatPhrase<Text>,
  slices: Slices,
): Promise<CalendarText> {
  const reader = new CalendarReader(formatPhrase);
  const physical = new PhysicalLines(text);
  if (inOneLine.test(text.slice(0, 200).split(/[\r\n]/, 1)[0] ?? ''))
    return {
      components: [],
      problem: formatPhrase('icsOneLine', { place: placeOf({ line: 1 }, formatPhrase) }),
    };
  for (let count = 1; ; count += 1) {
    const next = physical.unfolded();
    if (next === undefined) break;
    reader.read(next.text, next.line);
    if (count % linesPerLook === 0 && slices.isOver) await slices.next();
  }
  return reader.end();
}

/** Splits a text into lines one by one: a list of all lines of a large text would take too long in one go. */
class PhysicalLines {
  readonly #breaks = /\r\n|\n|\r/g;
  #at: number;
  #line = 0;

  constructor(private readonly text: string) {
    this.#at = text.startsWith('\ufeff') ? 1 : 0;
  }

  /** Returns the next logical line with the number of its first line; undefined at the end. */
  unfolded(): { readonly text: string; readonly line: number } | undefined {
    if (this.#at >= this.text.length) return undefined;
    const line = this.#line + 1;
    const parts = [this.#next()];
    while (this.text[this.#at] === ' ' || this.text[this.#at] === '\t') parts.push(this.#next().slice(1));
    return { text: parts.length === 1 ? (parts[0] ?? '') : parts.join(''), line };
  }

  #next(): string {
    this.#breaks.lastIndex = this.#at;
    const found = this.#breaks.exec(this.text);
    const start = this.#at;
    this.#at = found ? found.index + found[0].length : this.text.length;
    this.#line += 1;
    return this.text.slice(start, found?.index ?? this.text.length);
  }
}

class CalendarReader {
  readonly #components: Component[] = [];
  readonly #open: Open[] = [];
  #hasCalendar = false;

  constructor(private readonly formatPhrase: FormatPhrase<Text>) {}

  read(whole: string, number: number): void {
    if (whole.trim() === '') return;
    const line = this.#readLine(whole, number);
    if (!line) return;
    const value = line.value.trim().toUpperCase().slice(0, 40);
    if (line.name === 'BEGIN') this.#begin(value, number);
    else if (line.name === 'END') this.#end(value);
    else this.#open.at(-1)?.lines.push(line);
  }

  end(): CalendarText {
    while (this.#open.length > 0) this.#close(false);
    const { formatPhrase } = this;
    const problem = this.#hasCalendar
      ? undefined
      : formatPhrase('icsNone', { place: placeOf({ line: 1 }, formatPhrase) });
    return { components: this.#components, problem };
  }

  #begin(name: string, line: number): void {
    if (this.#open.length === 0 && name !== 'VCALENDAR') return;
    // An entry does not contain another entry, so the END of the first one is missing.
    if (this.#open[1]?.name === name) while (this.#open.length > 1) this.#close(false);
    this.#hasCalendar = true;
    this.#open.push({ name, line, lines: [], inner: [] });
  }

  #end(name: string): void {
    if (!this.#open.some((one) => one.name === name)) return;
    while (this.#open.length > 0) {
      const isMeant = this.#open.at(-1)?.name === name;
      this.#close(isMeant);
      if (isMeant) return;
    }
  }

  #close(hasEnd: boolean): void {
    const closed = this.#open.pop();
    if (!closed) return;
    const place = placeOf(closed, this.formatPhrase);
    if (!hasEnd) closed.problem ??= this.formatPhrase('icsUnclosed', { place, name: closed.name });
    const [calendar, entry] = this.#open;
    if (entry) this.#open.at(-1)?.inner.push(closed);
    else if (calendar || closed.problem) this.#components.push(closed);
  }

  /** Returns undefined for a line that is no property. */
  #readLine(whole: string, line: number): ContentLine | undefined {
    const { formatPhrase } = this;
    const name = (/^[A-Za-z0-9-]+(?=[;:])/.exec(whole)?.[0] ?? '').toUpperCase();
    const pieces: string[] = [];
    let [start, isQuoted] = [0, false];
    for (let index = 0; index < whole.length; index += 1) {
      const letter = whole[index];
      if (letter === '"') isQuoted = !isQuoted;
      if (isQuoted || (letter !== ';' && letter !== ':')) continue;
      pieces.push(whole.slice(start, index));
      start = index + 1;
      if (letter !== ':') continue;
      if (name === '') return undefined;
      const at = withTimes.has(name) && pieces.length > 1 ? whole.lastIndexOf(':') + 1 : start;
      if (at > start) pieces.push(`${pieces.pop()}:${whole.slice(start, at - 1)}`);
      return lineOf(pieces, whole.slice(at), { line, column: at + 1 });
    }
    const current = this.#open[1];
    if (current && isQuoted && decisive.has(name)) {
      const got = JSON.stringify(whole.slice(0, 40));
      current.problem ??= formatPhrase('icsQuote', { place: placeOf({ line }, formatPhrase), got });
    }
    return undefined;
  }
}

export function placeOf(
  { line, column = 1 }: { readonly line: number; readonly column?: number },
  formatPhrase: FormatPhrase<Text>,
): Text {
  return formatPhrase('icsPlace', { field: 'ics', line: String(line), column: String(column) });
}

function lineOf(
  [name = '', ...parameters]: readonly string[],
  value: string,
  place: Pick<ContentLine, 'line' | 'column'>,
): ContentLine {
  const pairs = parameters.map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(0, at)).toUpperCase(), pair.slice(at + 1).replaceAll('"', '')] as const;
  });
  return { name: name.toUpperCase(), parameters: Object.fromEntries(pairs), value, ...place };
}

/** Returns a text of a calendar without its escapes, and in one line (RFC 5545, 3.3.11). */
export function unescaped(text: string): string {
  return text
    .replace(/\\([\\;,nN])/g, (_, letter: string) => (letter.toLowerCase() === 'n' ? ' ' : letter))
    .trim();
}
