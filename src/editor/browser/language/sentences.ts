import { daysAndHoursIn, durationIn } from '../../../catalogue/duration';
import { interpolate } from '../../../catalogue/interpolate';
import type { Text } from '../../../catalogue/localized-message';
import type { FormatPhrase } from '../../../catalogue/phrases';
import type { LocalizedText } from '../../../runtime/answers';
import { editorLanguage } from './editor-language';

type Texts = Readonly<Record<string, string>>;

/**
 * Phrases and reasons in the editor's language, keyed by name; empty in English, and until the phrases are
 * loaded.
 */
let texts: Texts = {};
let loading: Promise<void> | undefined;

/**
 * Loads the phrases and reasons of the editor's language once. Never rejects; after a failure, the next call
 * tries again.
 */
export function loadSentences(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  // Each locale file has its language under this key, so the text tells which locale file the editor loaded.
  const language = RED._('@openpaging/node-red-algo/algo-forms:sentences');
  if (language === 'en-US') return;
  try {
    texts = await $.getJSON(`resources/@openpaging/node-red-algo/algo-sentences-${language}.json`);
  } catch {
    loading = undefined;
  }
}

/** @param message keys and values of the sentence; undefined if the sentence has only an English text */
export function sentenceOf(english: string, message: LocalizedText | undefined): string {
  return (message === undefined ? undefined : textOf(message)) ?? english;
}

/**
 * @param operationName operation whose title the text contains, such as `door/unlock`; used if the values
 * name no operation
 */
function textOf(message: LocalizedText, operationName = ''): string | undefined {
  if (typeof message === 'string') return message;
  const { phrase, values = {} } = message;
  if (phrase === 'duration') return durationIn(editorLanguage(), Number(values.seconds));
  if (phrase === 'daysAndHours') return daysAndHoursIn(editorLanguage(), Number(values.seconds));
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

function titleOf(operationName: string, english: string): string {
  const [resource = '', id = ''] = operationName.split('/');
  const key = `operation.${id}.title`;
  const found = RED._(`@openpaging/node-red-algo/${resource}:${key}`);
  return found.endsWith(key) ? english : found;
}

export function phraseFormatterWith(translate: Translate): FormatPhrase {
  return (phrase, values) => translate(`phrase.${phrase}`, values);
}

export function inWords(formatPhrase: FormatPhrase): FormatPhrase<Text> {
  return (phrase, values = {}) =>
    formatPhrase(
      phrase,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
    );
}
