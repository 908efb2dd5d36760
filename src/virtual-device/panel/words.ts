import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';

/** What the panel says in one language, by keys: written by the build, whole in each language. */
type Texts = Readonly<Record<string, string>>;

const folder = path.join(__dirname, 'words');
const source = 'en-US';
const loaded = new Map<string, Texts>();
let known: readonly string[] | undefined;

/** What of an address has to be kept where it leads on: the language that it asks for, if that is one of ours. */
export function languageQuery(url = ''): string {
  const language = askedLanguage(url);
  return language === undefined ? '' : `?lang=${language}`;
}

/** The language for whoever asks: that of the address, else the first of ours that the browser wants, else English. */
export function languageFor({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  // Browsers name the one that they want most first.
  const wanted = (headers['accept-language'] ?? '').split(',').map((one) => one.split(';', 1)[0] ?? '');
  return askedLanguage(url) ?? wanted.map(ours).find((one) => one !== undefined) ?? source;
}

/** A text of the panel, with values in the place of `{names}`. */
export function sayIn(language: string, key: string, values: Texts = {}): string {
  return (textsIn(language)[key] ?? key).replace(/\{(\w+)\}/g, (name, value) => values[value] ?? name);
}

/**
 * A page in a language: texts in the place of `{{keys}}`, the language in that of `{{language}}`, and in that of
 * `{{words}}` all texts, for a script to read.
 */
export function pageIn(language: string, page: string): string {
  return page.replace(/\{\{([\w.]+)\}\}/g, (_, key) => {
    if (key === 'language') return language;
    // Nothing in there may end the element that holds it.
    if (key === 'words') return JSON.stringify(textsIn(language)).replaceAll('<', '\\u003c');
    return escaped(sayIn(language, key));
  });
}

/** The text of an element or a value in quotes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function askedLanguage(url: string): string | undefined {
  const [, ...query] = url.split('?');
  return ours(new URLSearchParams(query.join('?')).get('lang') ?? '');
}

/** What is asked for is only compared with the names of what there is. */
function ours(asked: string): string | undefined {
  known ??= readdirSync(folder).map((file) => path.basename(file, '.json'));
  return known.find((one) => bare(one) === bare(asked));
}

/** A language without its country. */
function bare(tag: string): string {
  return (tag.split('-', 1)[0] ?? '').trim().toLowerCase();
}

function textsIn(language: string): Texts {
  const texts =
    loaded.get(language) ?? JSON.parse(readFileSync(path.join(folder, `${language}.json`), 'utf8'));
  loaded.set(language, texts);
  return texts;
}
