import type { Day } from '../../../bells/calendar';

const dayMs = 86_400_000;

/** What the editor is set to, where it is not left to the browser: Node-RED does not say it otherwise. */
export function editorLanguage(): string | undefined {
  return localStorage.getItem('editor-language') ?? undefined;
}

/** A day in words of the editor's language. */
export function dayWords(
  day: Day,
  format: Intl.DateTimeFormatOptions,
  language: string | undefined = editorLanguage(),
): string {
  return new Intl.DateTimeFormat(language, { ...format, timeZone: 'UTC' }).format(day * dayMs);
}
