import { durationIn } from '../../../catalogue/duration';
import { interpolate } from '../../../catalogue/interpolate';
import type { Text } from '../../../catalogue/localized-message';
import type { FormatPhrase } from '../../../catalogue/phrases';
import type { SaidText } from '../../../runtime/answers';
import { editorLanguage } from './editor-language';

type Texts = Readonly<Record<string, string>>;

/** What sentences of ours are made of in the editor's language; nothing where it is English, or not there yet. */
let texts: Texts = {};
let loading: Promise<void> | undefined;

/** Resolves when sentences can be said in the editor's language, also where they cannot; never rejects. */
export function loadSentences(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  // Node-RED puts a language's words over the English: so this is the one whose words it has.
  const language = RED._('@openpaging/node-red-algo/algo-forms:sentences');
  if (language === 'en-US') return;
  try {
    texts = await $.getJSON(`resources/@openpaging/node-red-algo/algo-sentences-${language}.json`);
  } catch {
    loading = undefined;
  }
}

/**
 * A sentence of Node-RED's part in the editor's language; in English where any of it has no words there.
 * @param said what it is made of
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

/** What the dialog calls an operation. */
function titleOf(operationName: string, english: string): string {
  const [noun = '', id = ''] = operationName.split('/');
  const key = `operation.${id}.title`;
  const found = RED._(`@openpaging/node-red-algo/${noun}:${key}`);
  return found.endsWith(key) ? english : found;
}

/** The phrases of the editor's language, by the lookup of a node that has operations. */
export function sayWith(translate: Translate): FormatPhrase {
  return (phrase, values) => translate(`phrase.${phrase}`, values);
}

/** The same for what makes sentences of sentences. */
export function inWords(say: FormatPhrase): FormatPhrase<Text> {
  return (phrase, values = {}) =>
    say(phrase, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));
}
