import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { everyGroup } from '../catalogue';
import { phrases } from '../catalogue/phrases';
import { reasons } from '../catalogue/reasons';
import { everyValue } from './values';
import { mergeWords, type Words, wordsOf } from './words';

interface Gaps {
  readonly missing: Readonly<Record<string, Words>>;
  readonly sentences: readonly string[];
}

type Texts = ReadonlyMap<string, string>;

/**
 * Patterns of parts that a translation must keep, such as placeholders, elements, code, properties of
 * messages and addresses.
 */
const kept = [
  /\{\{[\w.-]+\}\}/g,
  /__\w+?__/g,
  /(?<!\{)\{\w+\}(?!\})/g,
  /<\/?[a-z][^<>]*>/g,
  /`[^`]+`/g,
  /\bmsg\.\w+/g,
  /\$\{\w+\}/g,
  /https?:\/\/\w[^\s),]*/g,
  // The name and the type at the start of a line in a property list.
  /^: [^:\n]+ \([^:)\n]+\) :/gm,
];

const plural = /_(?:zero|one|two|few|many|other)$/;

function englishWords(root: string): ReadonlyMap<string, Words> {
  const folder = path.join(root, 'locales', 'en-US');
  const files = new Map(readdirSync(folder).map((file) => [file, wordsFrom(path.join(folder, file))]));
  for (const group of everyGroup) {
    const file = `${group.resource}.json`;
    files.set(file, mergeWords(files.get(file) ?? {}, wordsOf(group).own));
  }
  const values = Object.fromEntries(everyValue().map((value) => [value, value]));
  return files.set('phrases.json', phrases).set('reasons.json', reasons).set('values.json', values);
}

function englishHelp(root: string): ReadonlyMap<string, string> {
  const pages = readdirSync(path.join(root, 'nodes')).filter((file) => file.endsWith('.html'));
  return new Map(
    pages.map((file) => {
      const page = readFileSync(path.join(root, 'nodes', file), 'utf8');
      return [file, page.slice(page.indexOf('<script type="text/markdown"'))];
    }),
  );
}

/**
 * The file in a language's folder with a hash of each English text at the time of its translation. A help
 * page has one hash. If the English text no longer has this hash, the translation is stale.
 */
const recordFile = 'source.json';

const wholePage = 'page';

const hasChanged = 'is stale: the English has changed since it was translated';
const isUnrecorded = 'is not recorded: accept it when it fits the English (scripts/missing-words.mjs)';

type Records = Record<string, Record<string, string>>;

/**
 * The only file whose texts have no hashes: its keys are the English texts, so a changed English text is a
 * new key.
 */
const unrecorded = 'values.json';

function currentRecords(root: string, language: string): Records {
  const records: Records = {};
  for (const [file, english] of englishWords(root)) {
    if (file === unrecorded) continue;
    const texts = [...inFormsOf(language, textsOf(english))].map(
      ([key, text]) => [key, hashOf(text)] as const,
    );
    records[file] = Object.fromEntries(texts.sort(byKey));
  }
  for (const [file, page] of englishHelp(root)) records[file] = { [wholePage]: hashOf(page) };
  return Object.fromEntries(Object.entries(records).sort(byKey));
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function recordsIn(root: string, language: string): Records {
  const file = path.join(root, 'locales', language, recordFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/**
 * Records that translated texts fit the current English texts, and removes the hashes of texts that no longer
 * exist.
 * @param keys keys of the accepted texts; if empty, all texts of the file
 */
export function acceptTranslation(
  root: string,
  language: string,
  file: string,
  keys: readonly string[],
): void {
  const current = currentRecords(root, language);
  const hashesOfFile = current[file];
  if (!hashesOfFile) throw new Error(`${file} is not a file of translated texts`);
  const unknown = keys.filter((key) => !Object.hasOwn(hashesOfFile, key));
  if (unknown.length > 0) throw new Error(`${file} has no ${unknown.join(', ')}`);
  const recorded = recordsIn(root, language);
  const kept = Object.entries(current).flatMap(([name, hashes]): [string, Record<string, string>][] => {
    const isAccepted = (key: string) => name === file && (keys.length === 0 || keys.includes(key));
    const own = Object.entries(hashes).flatMap(([key, hash]): [string, string][] => {
      const value = isAccepted(key) ? hash : recorded[name]?.[key];
      return value === undefined ? [] : [[key, value]];
    });
    return own.length > 0 ? [[name, Object.fromEntries(own)]] : [];
  });
  const text = `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
  writeFileSync(path.join(root, 'locales', language, recordFile), text);
}

/**
 * Returns the missing texts and the mistakes of a language, for the tests and `scripts/missing-words.mjs`.
 */
export function gapsOf(root: string, language: string): Gaps {
  const folder = path.join(root, 'locales', language);
  const words = englishWords(root);
  const help = englishHelp(root);
  const recorded = recordsIn(root, language);
  const staleness = (file: string, key: string, source: string): string | undefined => {
    const hash = recorded[file]?.[key];
    if (file === unrecorded || hash === hashOf(source)) return undefined;
    return hash === undefined ? isUnrecorded : hasChanged;
  };
  const missing: Record<string, Words> = {};
  const sentences: string[] = [];
  for (const [file, english] of words) {
    const own = textsOf(wordsFrom(path.join(folder, file)));
    const wanted = inFormsOf(language, textsOf(english));
    const untranslated = [...wanted].filter(([key]) => !own.get(key));
    if (untranslated.length > 0) missing[file] = nested(untranslated);
    const report = (key: string, what: string) => sentences.push(`${language}/${file}: ${key} ${what}`);
    for (const [key] of untranslated) report(key, 'is missing');
    for (const [key, text] of own) {
      const source = wanted.get(key);
      if (source === undefined) {
        report(key, 'is stale: the English has no such key');
        continue;
      }
      const stale = staleness(file, key, source);
      if (stale) report(key, stale);
      for (const difference of differences(keptIn(source), keptIn(text))) report(key, difference);
      const [place] = source.match(/^__place__/) ?? [];
      if (place && !text.startsWith(place)) report(key, `must begin with ${place}: a table takes it off`);
    }
  }
  for (const [file, english] of help) {
    const place = path.join(folder, file);
    const report = (what: string) => sentences.push(`${language}/${file}: ${what}`);
    if (!existsSync(place)) {
      report('the help page is missing');
      continue;
    }
    const stale = staleness(file, wholePage, english);
    if (stale) report(`${wholePage} ${stale}`);
    for (const what of differences(partsOf(english), partsOf(readFileSync(place, 'utf8')))) report(what);
  }
  const strangers = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of strangers) {
    if (!words.has(file) && !help.has(file) && file !== recordFile)
      sentences.push(`${language}/${file}: no such file is read`);
  }
  return { missing, sentences };
}

/** Replaces the English plural forms with the plural forms of the language. */
function inFormsOf(language: string, english: Texts): Texts {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const wanted = new Map<string, string>();
  for (const [key, text] of english) {
    if (!plural.test(key)) wanted.set(key, text);
    else
      for (const form of forms)
        wanted.set(key.replace(plural, `_${form}`), english.get(`${key.replace(plural, '')}_other`) ?? text);
  }
  return wanted;
}

function keptIn(text: string): Set<string> {
  return new Set(kept.flatMap((expression) => text.match(expression) ?? []));
}

function partsOf(page: string): Set<string> {
  const headings = ['###', '####'].map((mark) => `${sectionsOf(page, mark)} sections with ${mark}`);
  const [opening = ''] = page.match(/^<script[^>]+>/) ?? [];
  return new Set([...keptIn(page), opening, ...headings]);
}

function sectionsOf(page: string, mark: string): number {
  return page.split('\n').filter((line) => line.startsWith(`${mark} `)).length;
}

function differences(english: ReadonlySet<string>, own: ReadonlySet<string>): string[] {
  return [
    ...[...english].filter((part) => !own.has(part)).map((part) => `lacks ${part}`),
    ...[...own].filter((part) => !english.has(part)).map((part) => `has ${part}, which the English has not`),
  ];
}

function wordsFrom(file: string): Words {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

export function textsOf(words: Words, prefix = ''): Map<string, string> {
  const entries = Object.entries(words).flatMap(([key, inner]): [string, string][] =>
    typeof inner === 'string' ? [[prefix + key, inner]] : [...textsOf(inner, `${prefix}${key}.`)],
  );
  return new Map(entries);
}

function nested(texts: readonly (readonly [string, string])[]): Words {
  return texts.reduce<Words>((words, [key, text]) => {
    const names = key.split('.').reverse();
    return mergeWords(
      words,
      names.reduce<string | Words>((inner, name) => ({ [name]: inner }), text) as Words,
    );
  }, {});
}

/** Keys that Node-RED itself looks up: texts of statuses, and the category of the palette. */
const forNodeRed = /^(?:status|state|offline|palette\.label)\./;

/**
 * Returns the words that must stay in the file of a node. All other words are only in the plugin's file,
 * which the editor loads once. The words that Node-RED itself looks up stay, and so do the words of the
 * node's page, since a user can disable the plugin.
 * @param words all words of the node
 * @param shared the words of the plugin
 * @param page the page of the node, with its dialog
 */
export function wordsOfItsOwn(words: Words, shared: Words, page: string): Words {
  const common = textsOf(shared);
  const shown = new Set(page.match(/[\w-]+(?:\.[\w-]+)+/g));
  const without = (inner: Words, prefix: string): Words =>
    Object.fromEntries(
      Object.entries(inner).flatMap(([name, value]): [string, string | Words][] => {
        const key = prefix + name;
        if (typeof value === 'string') {
          const isCommon = common.get(key) === value && !forNodeRed.test(key) && !shown.has(key);
          return isCommon ? [] : [[name, value]];
        }
        const left = without(value, `${key}.`);
        return Object.keys(left).length > 0 ? [[name, left]] : [];
      }),
    );
  return without(words, '');
}
