import { memoizeTranslate } from '../../../catalogue/memoize-translate';
import { editorLanguage } from '../language/editor-language';

/** A text of the sidebar's own locale file. Thousands of rows ask for it, and the editor takes a while to find one. */
export const words = memoizeTranslate((key, values) =>
  RED._(`@openpaging/node-red-algo/algo-forms:${key}`, values),
);

/** What an operation such as `door/lock` is called in the dialog of its node; itself where it is not. */
export const operationWords = once((operation) => {
  const [noun = '', id = ''] = operation.split('/');
  const title = said(`${noun}:operation.${id}.title`);
  return title === undefined ? operation : withColon(said(`${noun}:noun`) ?? noun, title);
});

const colon = once((key) => said(`device:${key}`) ?? ' ');

/** What is said of something, behind its name: French has a space before a colon. */
export function withColon(name: string, text: string): string {
  return `${name}${colon('colon')}${text}`;
}

/** What an outcome or the code of an error is called under a node. */
export const statusWords = once((status) => said(`device:status.${status}`) ?? status);

/** A text of another locale file, of which nobody knows whether it is there: what has no words is its own key. */
function said(place: string): string | undefined {
  const found: unknown = RED._(`@openpaging/node-red-algo/${place}`);
  const isFound = typeof found === 'string' && !place.endsWith(found);
  return isFound ? found : undefined;
}

/** Thousands of rows say the same few things. */
function once(find: (text: string) => string): (text: string) => string {
  const found = new Map<string, string>();
  return (text) => {
    const known = found.get(text) ?? find(text);
    found.set(text, known);
    return known;
  };
}

/** A moment in the editor's language: the time, and the day where it is not today. */
export function momentWords(at: string | undefined, timeStyle: 'short' | 'medium' = 'medium'): string {
  const date = new Date(at ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const isToday = date.toDateString() === new Date().toDateString();
  return format(isToday ? { timeStyle } : { dateStyle: 'short', timeStyle: 'short' }).format(date);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** To make one takes longer than to use it a hundred times. */
function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = Object.values(options).join();
  const known = formats.get(key) ?? new Intl.DateTimeFormat(editorLanguage(), options);
  formats.set(key, known);
  return known;
}

let numbers: Intl.NumberFormat | undefined;

export function numberWords(number: number): string {
  numbers ??= new Intl.NumberFormat(editorLanguage());
  return numbers.format(number);
}
