import { interpolate } from './interpolate';
import { type FormatPhrase, phrases } from './phrases';
import { type Reason, reasons } from './reasons';

/**
 * A sentence or a part of a sentence: a localized message, or a text from outside, which is not translated.
 */
export type Text = string | LocalizedMessage;

type Values = Readonly<Record<string, Text>>;

/**
 * A sentence or a part of a sentence in English, with its phrase and values for translation in the editor.
 * Errors and logs use the English text; the JSON form has phrase and values.
 */
export class LocalizedMessage {
  readonly #english: string;

  constructor(
    readonly phrase: string,
    english: string,
    readonly values: Values = {},
  ) {
    this.#english = english;
  }

  toString(): string {
    return interpolate(this.#english, this.values);
  }

  /** Returns the message with all texts in its values changed, also in the messages among its values. */
  mapTexts(change: (text: string) => string): LocalizedMessage {
    const changed = Object.entries(this.values).map(([name, value]) => [
      name,
      // A value can be missing where the caller reports what it was given.
      typeof value === 'string' ? change(value) : value?.mapTexts(change),
    ]);
    return new LocalizedMessage(this.phrase, this.#english, Object.fromEntries(changed));
  }

  /** Returns the message with all messages among its values changed. */
  mapMessages(change: (message: LocalizedMessage) => Text): LocalizedMessage {
    const entries = Object.entries(this.values);
    if (entries.every(([, value]) => !(value instanceof LocalizedMessage))) return this;
    const changed = entries.map(([name, value]) => [
      name,
      value instanceof LocalizedMessage ? change(value) : value,
    ]);
    return new LocalizedMessage(this.phrase, this.#english, Object.fromEntries(changed));
  }
}

export function localized(reason: Reason, values?: Values): LocalizedMessage {
  return new LocalizedMessage(reason, reasons[reason], values);
}

export const localizedPhrase: FormatPhrase<Text> = (phrase, values) =>
  new LocalizedMessage(phrase, phrases[phrase], values);

export function hasReason(text: Text, reason: Reason): boolean {
  if (typeof text === 'string') return false;
  return text.phrase === reason || Object.values(text.values).some((part) => hasReason(part, reason));
}

export function joinMessages(texts: readonly Text[]): Text {
  const [first = '', ...others] = texts;
  return others.reduce<Text>((before, next) => localized('next', { before, next }), first);
}
