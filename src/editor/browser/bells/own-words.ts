import { dayAt } from '../../../bells/calendar';
import { editorLanguage } from '../language/editor-language';
import { type BellRow, type Column, columns } from './cells';
import { dayWords } from './day-texts';

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const monday = dayAt(2024, 1, 1);

const others = { daily: 'daily', once: 'once', to: '-', and: ',' } as const;

const columnsWithMore = columns.filter((column) => column !== 'color' && column !== 'dtmf');

export class OwnWords {
  readonly titles: Readonly<Record<string, Column>>;
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

function trimmed(text: string, separator: string, part: (text: string) => string): string {
  return text
    .split(separator)
    .map((one) => part(one.trim()))
    .join(separator);
}

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

/**
 * Normalizes a text for comparison: without capitals, accents and the dot of an abbreviation, which users
 * often omit.
 */
function plain(text: string): string {
  const letters = text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return letters.endsWith('.') ? letters.slice(0, -1) : letters;
}
