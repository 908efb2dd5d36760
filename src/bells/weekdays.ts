import type { Text } from '../catalogue/localized-message';
import type { FormatPhrase } from '../catalogue/phrases';
import { weekdayCodes } from './calendar';
import { shown } from './day-list';

const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The weekdays on which a bell rings, 0 for Monday; empty for a bell that rings once. */
export type Weekdays = ReadonlySet<number>;

interface Misread {
  readonly finding: Text;
}

/** Cache: the weekdays of each text, since many rows of a table have the same text. */
const known = new Map<string, Weekdays>();
const maxKnown = 1_000;

/**
 * Parses `daily`, `once`, names and ranges of weekdays such as `mon-fri` or `mon,wed`, or a list of these.
 * @returns a finding if the value is invalid
 */
export function readWeekdays(
  given: unknown,
  place: string,
  formatPhrase: FormatPhrase<Text>,
): Weekdays | Misread {
  const before = typeof given === 'string' ? known.get(given) : undefined;
  if (before) return before;
  const read = readWords(given, place, formatPhrase);
  if (typeof given === 'string' && !('finding' in read) && known.size < maxKnown) known.set(given, read);
  return read;
}

function readWords(given: unknown, place: string, formatPhrase: FormatPhrase<Text>): Weekdays | Misread {
  const entries = Array.isArray(given) ? given : [given];
  const words: string[] = [];
  for (const entry of entries.slice(0, 100)) {
    if (typeof entry !== 'string') return wrong(place, entry, formatPhrase);
    words.push(...entry.slice(0, 200).toLowerCase().split(','));
  }
  if (words.length === 1 && words[0]?.trim() === 'once') return new Set();
  const found = new Set<number>();
  for (const word of words) {
    const days = weekdaysOf(word.trim());
    if (!days) return wrong(place, word, formatPhrase);
    for (const day of days) found.add(day);
  }
  return found.size === 0 ? wrong(place, given, formatPhrase) : found;
}

export function ruleOf(weekdays: Weekdays): string {
  if (weekdays.size === 7) return 'FREQ=DAILY';
  const codes = weekdayCodes.filter((_, index) => weekdays.has(index));
  return `FREQ=WEEKLY;BYDAY=${codes.join(',')}`;
}

function weekdaysOf(word: string): number[] | undefined {
  if (word === 'daily') return [0, 1, 2, 3, 4, 5, 6];
  const [first = '', last = first, ...more] = word.split('-').map((name) => name.trim());
  const [start, end] = [numberOf(first), numberOf(last)];
  if (start === undefined || end === undefined || more.length > 0) return undefined;
  return Array.from({ length: ((end - start + 7) % 7) + 1 }, (_, index) => (start + index) % 7);
}

function numberOf(name: string): number | undefined {
  const index = names.findIndex((whole) => name === whole || name === whole.slice(0, 3));
  return index < 0 ? undefined : index;
}

function wrong(place: string, given: unknown, formatPhrase: FormatPhrase<Text>): Misread {
  return {
    finding: formatPhrase('wrong', {
      place,
      limits: formatPhrase('weekdays'),
      got: shown(given, formatPhrase),
    }),
  };
}
