import type { Text } from '../../catalogue/localized-message';
import type { FormatPhrase } from '../../catalogue/phrases';

/** The phrases of the editor's language, by the lookup of a node that has operations. */
export function sayWith(translate: Translate): FormatPhrase {
  return (phrase, values) => translate(`phrase.${phrase}`, values);
}

/** The same for what makes sentences of sentences. */
export function inWords(say: FormatPhrase): FormatPhrase<Text> {
  return (phrase, values = {}) =>
    say(phrase, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));
}
