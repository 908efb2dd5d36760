import { localizedPhrase, type Text } from '../catalogue/localized-message';
import type { FormatPhrase } from '../catalogue/phrases';
import { readBells } from './bell';
import { readDayList, shown } from './day-list';

export async function findingsIn(
  { bells, dates, match, without, from, until }: Readonly<Record<string, unknown>>,
  formatPhrase: FormatPhrase<Text> = localizedPhrase,
): Promise<readonly Text[]> {
  const isBackwards = typeof from === 'string' && typeof until === 'string' && until < from;
  return [
    ...(Array.isArray(bells) ? (await readBells(bells, formatPhrase)).findings : []),
    ...(dates === undefined || dates === null ? [] : dayFindings(dates, formatPhrase)),
    ...textFindings('match', match, formatPhrase),
    ...textFindings('without', without, formatPhrase),
    ...(isBackwards ? [formatPhrase('untilIsBefore', { field: 'until' })] : []),
  ];
}

function dayFindings(dates: unknown, formatPhrase: FormatPhrase<Text>): readonly Text[] {
  const { days, findings } = readDayList(dates, 'dates', formatPhrase);
  return findings.length === 0 && days.size === 0
    ? [formatPhrase('namesNoDay', { place: 'dates' })]
    : findings;
}

const maxTexts = 100;

/** Returns the texts of a parameter that is a text or a list of texts; empty if it is absent. */
export function textsOf(given: unknown): readonly string[] {
  if (given === undefined || given === null) return [];
  return [given]
    .flat()
    .map(String)
    .filter((text) => text !== '');
}

function textFindings(place: string, given: unknown, formatPhrase: FormatPhrase<Text>): readonly Text[] {
  if (given === undefined || given === null) return [];
  const texts: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (texts.length <= maxTexts && texts.every((text) => typeof text === 'string')) return [];
  const limits = formatPhrase('textOrTexts', { count: String(maxTexts) });
  return [formatPhrase('wrong', { place, limits, got: shown(given, formatPhrase) })];
}
