import { daysAndHoursIn, durationIn } from '../../../catalogue/duration';
import type { Text } from '../../../catalogue/localized-message';
import type { FormatPhrase } from '../../../catalogue/phrases';
import { type Translation, translated } from '../../../catalogue/translated';
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
  return (message === undefined ? undefined : translated(message, translation)) ?? english;
}

const translation: Translation = {
  text: (phrase) => (Object.hasOwn(texts, phrase) ? texts[phrase] : undefined),
  special(phrase, { seconds }) {
    if (phrase === 'duration') return durationIn(editorLanguage(), Number(seconds));
    return phrase === 'daysAndHours' ? daysAndHoursIn(editorLanguage(), Number(seconds)) : undefined;
  },
  title: titleOf,
};

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
