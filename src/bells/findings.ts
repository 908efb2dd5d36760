import { localizedPhrase, type Text } from '../catalogue/localized-message';
import type { FormatPhrase } from '../catalogue/phrases';
import { readBells } from './bell';
import { readCalendarText } from './calendar-file/content-lines';
import { readEvent } from './calendar-file/event';
import { readDayList } from './day-list';

export async function findingsIn(
  { bells, dates, ics, from, until }: Readonly<Record<string, unknown>>,
  formatPhrase: FormatPhrase<Text> = localizedPhrase,
): Promise<readonly Text[]> {
  const isBackwards = typeof from === 'string' && typeof until === 'string' && until < from;
  return [
    ...(Array.isArray(bells) ? (await readBells(bells, formatPhrase)).findings : []),
    ...(dates === undefined || dates === null ? [] : dayFindings(dates, formatPhrase)),
    ...(typeof ics === 'string' && ics !== '' ? checkCalendar(ics, formatPhrase) : []),
    ...(isBackwards ? [formatPhrase('untilIsBefore', { field: 'until' })] : []),
  ];
}

function dayFindings(dates: unknown, formatPhrase: FormatPhrase<Text>): readonly Text[] {
  const { days, findings } = readDayList(dates, 'dates', formatPhrase);
  return findings.length === 0 && days.size === 0
    ? [formatPhrase('namesNoDay', { place: 'dates' })]
    : findings;
}

export function checkCalendar(
  ics: string,
  formatPhrase: FormatPhrase<Text> = localizedPhrase,
): readonly Text[] {
  const { components, findings } = readCalendarText(ics, formatPhrase);
  const all = [...findings];
  for (const component of components)
    if (component.name === 'VEVENT') readEvent(component, all, formatPhrase);
  return all;
}
