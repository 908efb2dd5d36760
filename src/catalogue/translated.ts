import { interpolate } from './interpolate';

/** A localized message as data: a text from outside, or a phrase and its values. */
export type Translatable =
  | string
  | { readonly phrase: string; readonly values?: Readonly<Record<string, Translatable>> };

export interface Translation {
  /** The text of a phrase in the language; undefined if the language lacks the phrase. */
  text(phrase: string): string | undefined;
  /**
   * Returns the words of a phrase that is no plain text, such as a duration; undefined for all other phrases.
   */
  special?(phrase: string, values: Readonly<Record<string, Translatable>>): string | undefined;
  /** Returns the title of an operation, such as `door/unlock`. */
  title?(operationName: string, english: string): string;
}

/**
 * Translates a localized message. Undefined if the language lacks one of its phrases.
 * @param operationName the operation whose title the message contains, unless its values name an operation
 */
export function translated(
  message: Translatable,
  translation: Translation,
  operationName = '',
): string | undefined {
  if (typeof message === 'string') return message;
  const { phrase, values = {} } = message;
  const special = translation.special?.(phrase, values);
  if (special !== undefined) return special;
  const text = translation.text(phrase);
  if (text === undefined) return undefined;
  const { operation: own } = values;
  const of = typeof own === 'string' ? own : operationName;
  const words: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const isTitle = phrase === 'titled' && name === 'title';
    const title = isTitle ? translation.title?.(of, String(value)) : undefined;
    const found = title ?? translated(value, translation, of);
    if (found === undefined) return undefined;
    words[name] = found;
  }
  return interpolate(text, words);
}
