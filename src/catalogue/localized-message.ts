import { interpolate } from './interpolate';
import { type FormatPhrase, phrases } from './phrases';
import { type Reason, reasons } from './reasons';

/** What is put into a sentence, or is one: words of others as they are, and our own. */
export type Text = string | LocalizedMessage;

type Values = Readonly<Record<string, Text>>;

/**
 * A sentence or a part of one in English, which knows what it is made of, so that an editor can say it in its own
 * language. Errors and logs have the English; as JSON it is what the editor needs.
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
}

/** Says why something is as it is. */
export function localized(reason: Reason, values?: Values): LocalizedMessage {
  return new LocalizedMessage(reason, reasons[reason], values);
}

/** Says what is wrong with a parameter, as errors do. */
export const localizedPhrase: FormatPhrase<Text> = (phrase, values) =>
  new LocalizedMessage(phrase, phrases[phrase], values);

/** Whether a sentence gives this reason. */
export function hasReason(text: Text, reason: Reason): boolean {
  if (typeof text === 'string') return false;
  return text.phrase === reason || Object.values(text.values).some((part) => hasReason(part, reason));
}

/**
 * The parameter that a finding is about, as its sentence calls it, for example `events[0].name`; undefined where it is
 * about several or none.
 */
export function parameterIn(finding: Text): string | undefined {
  if (typeof finding === 'string') return undefined;
  const { field, place, name } = finding.values;
  const found = field ?? place ?? name;
  return found instanceof LocalizedMessage ? parameterIn(found) : found;
}

/** Sentences one after the other, as one. */
export function joinMessages(texts: readonly Text[]): Text {
  const [first = '', ...others] = texts;
  return others.reduce<Text>((before, next) => localized('next', { before, next }), first);
}
