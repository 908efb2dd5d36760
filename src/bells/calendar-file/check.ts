import type { Say } from '../../catalogue/phrases';
import { saying, type Text } from '../../catalogue/saying';
import { readCalendarText } from './content-lines';
import { readEvent } from './event';

/** What is wrong with a calendar's text, in sentences with line and column. */
export function checkCalendar(ics: string, say: Say<Text> = saying): readonly Text[] {
  const { components, findings } = readCalendarText(ics, say);
  const all = [...findings];
  for (const component of components) if (component.name === 'VEVENT') readEvent(component, all, say);
  return all;
}
