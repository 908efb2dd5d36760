import { durationIn } from '../../../catalogue/duration';
import { interpolate } from '../../../catalogue/interpolate';
import type { Text } from '../../../catalogue/localized-message';
import type { FormatPhrase } from '../../../catalogue/phrases';
import type { SaidText } from '../../../runtime/answers';
import { editorLanguage } from './editor-language';

type Texts = Readonly<Record<string, string>>;

/** The phrases and reasons in the editor's language; empty if it is English, or before they are loaded. */
let texts: Texts = {};
let loading: Promise<void> | undefined;

/** Loads the sentences of the editor's language. The promise also resolves if loading fails. */
export function loadSentences(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  // Node-RED merges a language's words over the English words, so this key names the language that it has
  // loaded.
  const language = RED._('@openpaging/node-red-algo/algo-forms:sentences');
  if (language === 'en-US') return;
  try {
    texts = await $.getJSON(`resources/@openpaging/node-red-algo/algo-sentences-${language}.json`);
  } catch {
    loading = undefined;
  }
}

/**
 * Returns a sentence of the runtime in the editor's language; in English if a part has no translation.
 * @param said the parts of the sentence
 */
export function sentenceOf(english: string, said: SaidText | undefined): string {
  return (said === undefined ? undefined : textOf(said)) ?? english;
}

/** @param operationName for example `door/unlock` */
function textOf(said: SaidText, operationName = ''): string | undefined {
  if (typeof said === 'string') return said;
  const { phrase, values = {} } = said;
  if (phrase === 'duration') return durationIn(editorLanguage(), Number(values.seconds));
  const text = Object.hasOwn(texts, phrase) ? texts[phrase] : undefined;
  if (text === undefined) return undefined;
  const { operation: own } = values;
  const of = typeof own === 'string' ? own : operationName;
  const words: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const found = phrase === 'titled' && name === 'title' ? titleOf(of, String(value)) : textOf(value, of);
    if (found === undefined) return undefined;
    words[name] = found;
  }
  return interpolate(text, words);
}

/** Returns the title of an operation as its dialog shows it. */
function titleOf(operationName: string, english: string): string {
  const [resource = '', id = ''] = operationName.split('/');
  const key = `operation.${id}.title`;
  const found = RED._(`@openpaging/node-red-algo/${resource}:${key}`);
  return found.endsWith(key) ? english : found;
}

/**
 * Returns the formatter of phrases in the editor's language, from the lookup of a node that has operations.
 */
export function sayWith(translate: Translate): FormatPhrase {
  return (phrase, values) => translate(`phrase.${phrase}`, values);
}

/** Adapts a formatter of phrases for values of any type. */
export function inWords(say: FormatPhrase): FormatPhrase<Text> {
  return (phrase, values = {}) =>
    say(phrase, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));
}
