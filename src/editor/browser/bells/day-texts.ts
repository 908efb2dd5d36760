import { type Day, dateOf, dayOf } from '../../../bells/calendar';
import { readDayList } from '../../../bells/day-list';
import { editorLanguage } from '../language/editor-language';

const minSpan = 3;

export function textOfDays(list: unknown): string | undefined {
  if (readDayList(list, 'days').findings.length > 0) return undefined;
  const entries: readonly unknown[] = Array.isArray(list) ? list : [list];
  return entries
    .map((entry) => {
      if (typeof entry === 'string') return entry;
      const { start, end } = entry as { start: string; end: string };
      return `${start}/${end}`;
    })
    .join(', ');
}

export function dayListOf(line: string): unknown {
  const parts = line.split(/[,;]/).map((part) => part.trim());
  const entries = parts.filter((part) => part !== '').map(entryOf);
  return entries.length === 1 && typeof entries[0] === 'string' ? entries[0] : entries;
}

function entryOf(text: string): unknown {
  const [start = '', end, ...more] = text.split(/\/|\.\.|–| to /).map((part) => part.trim());
  return end === undefined || more.length > 0 ? text : { start, end };
}

export function daysOf(list: unknown): Set<Day> | undefined {
  const { days, findings } = readDayList(list, 'days');
  return findings.length > 0 ? undefined : new Set(days);
}

export function listOf(days: Iterable<Day>): (string | { start: string; end: string })[] {
  const list: (string | { start: string; end: string })[] = [];
  const sorted = [...days].sort((a, b) => a - b);
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (sorted[last + 1] === (sorted[last] ?? 0) + 1) last += 1;
    const span = sorted.slice(first, last + 1).map(dateOf);
    if (span.length < minSpan) list.push(...span);
    else list.push({ start: span[0] ?? '', end: span.at(-1) ?? '' });
    first = last + 1;
  }
  return list;
}

export function dayIn(text: unknown): Day | undefined {
  return typeof text === 'string' ? dayOf(text) : undefined;
}

const dayMs = 86_400_000;

export function dayWords(
  day: Day,
  format: Intl.DateTimeFormatOptions,
  language: string | undefined = editorLanguage(),
): string {
  return new Intl.DateTimeFormat(language, { ...format, timeZone: 'UTC' }).format(day * dayMs);
}
