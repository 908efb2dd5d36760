import type { Day } from '../../../bells/calendar';
import { editorLanguage } from '../editor-language';

const dayMs = 86_400_000;

/** A day in words of the editor's language. */
export function dayWords(
  day: Day,
  format: Intl.DateTimeFormatOptions,
  language: string | undefined = editorLanguage(),
): string {
  return new Intl.DateTimeFormat(language, { ...format, timeZone: 'UTC' }).format(day * dayMs);
}
