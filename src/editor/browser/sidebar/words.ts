import { memoizeTranslate } from '../../../catalogue/memoize-translate';
import type { OverviewRow } from '../../../runtime/answers';
import { editorLanguage } from '../language/editor-language';
import { sentenceOf } from '../language/sentences';

/** Memoized, since thousands of rows need the texts and the editor's lookup is slow. */
export const words = memoizeTranslate((key, values) =>
  RED._(`@openpaging/node-red-algo/algo-forms:${key}`, values),
);

export const operationWords = once((operation) => {
  const [resource = '', id = ''] = operation.split('/');
  const title = lookUp(`${resource}:operation.${id}.title`);
  return title === undefined ? operation : withColon(lookUp(`${resource}:resource`) ?? resource, title);
});

export const alertWords = memoizeTranslate((key, values) =>
  RED._(`@openpaging/node-red-algo/alert:status.${key}`, values),
);

const colon = once((key) => lookUp(`device:${key}`) ?? ' ');

/** Joins a name and a text with a colon, with a blank before the colon in French. */
export function withColon(name: string, text: string): string {
  return `${name}${colon('colon')}${text}`;
}

/** Returns the label of the node with an id. A text that is no id, such as a name, is returned unchanged. */
export function nodeWords(node: string): string {
  const known = RED.nodes.node(node);
  return known ? RED.utils.getNodeLabel(known, node) : node;
}

export const statusWords = once((status) => lookUp(`device:status.${status}`) ?? status);

/** Returns the time and the short reason of the last error; empty without an error. */
export function errorWords(error: OverviewRow['error']): string {
  return error ? `${momentWords(error.at)} ${sentenceOf(error.reason, error.localizedReason)}` : '';
}

/** Returns undefined for a missing text. The editor's own lookup returns the key instead. */
function lookUp(place: string): string | undefined {
  const found: unknown = RED._(`@openpaging/node-red-algo/${place}`);
  const isFound = typeof found === 'string' && !place.endsWith(found);
  return isFound ? found : undefined;
}

function once(find: (text: string) => string): (text: string) => string {
  const found = new Map<string, string>();
  return (text) => {
    const known = found.get(text) ?? find(text);
    found.set(text, known);
    return known;
  };
}

export function momentWords(at: string | undefined, timeStyle: 'short' | 'medium' = 'medium'): string {
  const date = new Date(at ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const isToday = date.toDateString() === new Date().toDateString();
  return format(isToday ? { timeStyle } : { dateStyle: 'short', timeStyle: 'short' }).format(date);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a formatter from a cache, since creating a formatter is slow. */
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
