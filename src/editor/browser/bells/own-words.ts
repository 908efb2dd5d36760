import { dayAt } from '../../../bells/calendar';
import { editorLanguage } from '../language/editor-language';
import { type BellRow, type Column, columns } from './cells';
import { dayWords } from './day-texts';

/** Days are stored by these. */
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const monday = dayAt(2024, 1, 1);

/** What stands in a list beside weekdays, and what it is stored as. */
const others = { daily: 'daily', once: 'once', to: '-', and: ',' } as const;

/** Columns that people call by other words than the table as well. */
const columnsWithMore = columns.filter((column) => column !== 'color' && column !== 'dtmf');

/** How a pasted list may be written in the editor's language, besides English. */
export class OwnWords {
  /** What the table calls its columns, and what people call them as well. */
  readonly titles: Readonly<Record<string, Column>>;
  /** What is stored for each word of a list of days; made for the first row, since most tables are never pasted into. */
  private days: ReadonlyMap<string, string> | undefined;

  constructor(private readonly translate: Translate) {
    const titles = columns.flatMap((column) =>
      [translate(`rows.${column}`), ...alsoIn(translate, column)].flatMap((title) => {
        const word = title.toLowerCase();
        return [word, plain(word)].map((one) => [one, column] as const);
      }),
    );
    this.titles = Object.fromEntries(titles);
  }

  /** A pasted row as it is stored: days in English. */
  stored<Row extends Record<Column, string> | BellRow>(row: Row): Row {
    return { ...row, days: this.storedDays(row.days) };
  }

  private storedDays(text: string): string {
    this.days ??= daysIn(this.translate);
    const { days } = this;
    const whole = days.get(plain(text));
    if (whole !== undefined) return whole;
    const words = text.replace(/[–—]/g, '-').replace(/[/;+&]/g, ',');
    const stored = words.replace(/[\p{L}\p{M}]+\.?/gu, (word) => days.get(plain(word)) ?? word);
    return trimmed(stored, ',', (part) => trimmed(part, '-', (day) => day));
  }
}

/** Each part without the blanks around it. */
function trimmed(text: string, separator: string, part: (text: string) => string): string {
  return text
    .split(separator)
    .map((one) => part(one.trim()))
    .join(separator);
}

/** Words of a list that are taken as well, from the locale file. */
function alsoIn(translate: Translate, word: string): string[] {
  const known: readonly string[] = [...columnsWithMore, ...Object.keys(others)];
  return known.includes(word) ? translate(`pasted.${word}`).split(', ') : [];
}

function daysIn(translate: Translate): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(others).flatMap(([word, stored]) =>
      alsoIn(translate, word).map((own) => [plain(own), stored] as const),
    ),
    ...namesOfDays(editorLanguage()),
    ...namesOfDays('en'),
  ]);
}

function namesOfDays(language: string | undefined): (readonly [string, string])[] {
  return weekdays.flatMap((stored, place) =>
    (['short', 'long'] as const).map((weekday) => [
      plain(dayWords(monday + place, { weekday }, language)),
      stored,
    ]),
  );
}

/** Without what people leave out: capitals, accents, and the dot of an abbreviation. */
function plain(text: string): string {
  const letters = text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return letters.endsWith('.') ? letters.slice(0, -1) : letters;
}
