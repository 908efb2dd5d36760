import { existsSync } from 'node:fs';
import path from 'node:path';
import { phrases } from '../src/catalogue/phrases';
import { reasons } from '../src/catalogue/reasons';
import { textsIn } from './editor/pages';
import { root } from './fixtures/package';

type Values = Readonly<Record<string, string | number>>;

/** The texts of each file that was asked for. */
const texts = new Map<string, ReadonlyMap<string, string>>([
  ['phrases', new Map(Object.entries(phrases))],
  ['reasons', new Map(Object.entries(reasons))],
]);

/** The texts of a file: those in the source, and those that the build takes from the catalogue. */
function textsOf(file: string): ReadonlyMap<string, string> {
  const known = texts.get(file);
  if (known) return known;
  const folders = ['dist/nodes/locales', 'locales'].map((folder) => `${folder}/en-US/${file}.json`);
  const found = new Map(
    folders.filter((name) => existsSync(path.join(root, name))).flatMap((name) => [...textsIn(name)]),
  );
  texts.set(file, found);
  return found;
}

/** Splits a text at `__name__` and `{name}`: the odd entries are names. */
function partsOf(key: string): string[] {
  const [file = '', name = ''] = key.split(':');
  const text = textsOf(file).get(name);
  if (text === undefined) throw new Error(`There is no text ${key}`);
  return text.split(/__(\w+?)__|\{(\w+)\}/).filter((part) => part !== undefined);
}

/**
 * Returns an English text by its key, so that a test does not hold the words: `wording('shared:form.try')`. The file is
 * one of `locales/en-US` (for the catalogue's texts, of what the build writes there), `reasons` or `phrases`.
 */
export function wording(key: string, values: Values = {}): string {
  const given = partsOf(key).map((part, index) => {
    if (index % 2 === 0) return part;
    if (!Object.hasOwn(values, part)) throw new Error(`${key} needs ${part}`);
    return String(values[part]);
  });
  return given.join('');
}

/** Returns what finds a text inside others. A value that is not given may be anything. */
export function wordingIn(key: string, values: Values = {}): RegExp {
  const escaped = partsOf(key).map((part, index) => {
    if (index % 2 === 0) return literally(part);
    return Object.hasOwn(values, part) ? literally(String(values[part])) : '.*';
  });
  return new RegExp(escaped.join(''), 's');
}

function literally(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
