import { localizedPhrase, type Text } from '../../catalogue/localized-message';
import type { FormatPhrase } from '../../catalogue/phrases';
import { readCalendarText } from './content-lines';
import { readEvent } from './event';

/** What is wrong with a calendar's text, in sentences with line and column. */
export function checkCalendar(ics: string, say: FormatPhrase<Text> = localizedPhrase): readonly Text[] {
  const { components, findings } = readCalendarText(ics, say);
  const all = [...findings];
  for (const component of components) if (component.name === 'VEVENT') readEvent(component, all, say);
  return all;
}
