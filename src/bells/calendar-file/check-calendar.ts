import { localizedPhrase, type Text } from '../../catalogue/localized-message';
import { Slices } from '../../kernel/time/slices';
import { readCalendarText } from './content-lines';
import { isUnreadable, readEvent } from './event';

const maxFindings = 20;

/** Returns the reasons why a calendar has no readable entry; empty if it has one. */
export async function checkCalendar(ics: string, slices = new Slices()): Promise<readonly Text[]> {
  const { components, problem } = await readCalendarText(ics, localizedPhrase, slices);
  if (problem !== undefined) return [problem];
  const findings: Text[] = [];
  for (const component of components) {
    if (component.name !== 'VEVENT') continue;
    const event = readEvent(component, localizedPhrase);
    if (!isUnreadable(event)) return [];
    if (findings.length < maxFindings) findings.push(event.problem);
    if (slices.isOver) await slices.next();
  }
  return findings.length > 0 ? findings : [localizedPhrase('icsNoEntry', { field: 'ics' })];
}
