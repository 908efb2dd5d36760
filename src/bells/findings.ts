import type { Say } from '../catalogue/phrases';
import { saying, type Text } from '../catalogue/saying';
import { readBells } from './bell';
import { checkCalendar } from './calendar-file/check';
import { readDayList } from './day-list';

/**
 * What is wrong with bells, days and calendars, and only reading them tells. What is of another type than it should
 * be, the schema finds.
 */
export async function findingsIn(
  { bells, dates, ics, from, until }: Readonly<Record<string, unknown>>,
  say: Say<Text> = saying,
): Promise<readonly Text[]> {
  const isBackwards = typeof from === 'string' && typeof until === 'string' && until < from;
  return [
    ...(Array.isArray(bells) ? (await readBells(bells, say)).findings : []),
    ...(dates === undefined || dates === null ? [] : dayFindings(dates, say)),
    ...(typeof ics === 'string' && ics !== '' ? checkCalendar(ics, say) : []),
    ...(isBackwards ? [say('untilIsBefore')] : []),
  ];
}

function dayFindings(dates: unknown, say: Say<Text>): readonly Text[] {
  const { days, findings } = readDayList(dates, 'dates', say);
  return findings.length === 0 && days.size === 0 ? [say('namesNoDay', { place: 'dates' })] : findings;
}
