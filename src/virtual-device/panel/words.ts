import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';

/**
 * The texts of the panel in one language, keyed by locale key. The build adds the English text if a
 * translation is missing.
 */
type Texts = Readonly<Record<string, string>>;

const folder = path.join(__dirname, 'words');
const source = 'en-US';
const loaded = new Map<string, Texts>();
let known: readonly string[] | undefined;

export function languageQuery(url = ''): string {
  const language = askedLanguage(url);
  return language === undefined ? '' : `?lang=${language}`;
}

export function languageFor({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  // Browsers list the preferred language first.
  const wanted = (headers['accept-language'] ?? '').split(',').map((one) => one.split(';', 1)[0] ?? '');
  return askedLanguage(url) ?? wanted.map(supportedLanguage).find((one) => one !== undefined) ?? source;
}

export function translateIn(language: string, key: string, values: Texts = {}): string {
  return (textsIn(language)[key] ?? key).replace(/\{(\w+)\}/g, (name, value) => values[value] ?? name);
}

/**
 * Returns a page in a language. The texts replace `{{keys}}`, the language replaces `{{language}}`, and all
 * texts as JSON replace `{{words}}`.
 */
export function pageIn(language: string, page: string): string {
  return page.replace(/\{\{([\w.]+)\}\}/g, (_, key) => {
    if (key === 'language') return language;
    // A `<` in the JSON could end the script element.
    if (key === 'words') return JSON.stringify(textsIn(language)).replaceAll('<', '\\u003c');
    return escaped(translateIn(language, key));
  });
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function askedLanguage(url: string): string | undefined {
  const [, ...query] = url.split('?');
  return supportedLanguage(new URLSearchParams(query.join('?')).get('lang') ?? '');
}

/** Returns a name from the folder, never text from the request, since the language becomes part of a path. */
function supportedLanguage(asked: string): string | undefined {
  known ??= readdirSync(folder).map((file) => path.basename(file, '.json'));
  return known.find((one) => bare(one) === bare(asked));
}

function bare(tag: string): string {
  return (tag.split('-', 1)[0] ?? '').trim().toLowerCase();
}

function textsIn(language: string): Texts {
  const texts =
    loaded.get(language) ?? JSON.parse(readFileSync(path.join(folder, `${language}.json`), 'utf8'));
  loaded.set(language, texts);
  return texts;
}
