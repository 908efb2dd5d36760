import { isPlainObject } from './coerce';
import type { Field, Format } from './operation';
import type { FormatPhrase } from './phrases';

/** What a field may be, in words that fit behind "must be" and "it is". */
export function describeField<Words>(field: Field | undefined, say: FormatPhrase<Words>): Words | string {
  if (!field) return say('known');
  const { limits, names, words } = field;
  if (limits) return say(limits);
  if (words) return say('either', { first: oneOf(words, say), second: describePlain(field, say) });
  if (names && field.enum) return oneOf([...names, ...field.enum], say);
  if (!names) return describePlain(field, say);
  return say('either', { first: describePlain(field, say), second: oneOf(names, say) });
}

function describePlain<Words>(field: Field, say: FormatPhrase<Words>): Words | string {
  if (field.enum) return oneOf(field.enum, say);
  if (field.format) return describeFormat(field.format, field, say);
  if (field.type === 'object') return say('object', { names: namesIn(field) });
  if (field.type === 'array') return describeList(field, say);
  if (field.type === 'binary') return say(field.encoding ? 'bufferOrText' : 'buffer');
  if (field.type === 'string') return describeText(field, say);
  if (field.type === 'integer' || field.type === 'number') return describeNumber(field, say);
  return say(field.type);
}

function describeFormat<Words>(
  format: Format,
  { maxLength }: Field,
  say: FormatPhrase<Words>,
): Words | string {
  if (maxLength === undefined) return say(format);
  return say('charactersAtMost', { count: String(maxLength), format: say(format) });
}

function describeList<Words>({ items, maxItems }: Field, say: FormatPhrase<Words>): Words | string {
  const list = maxItems === undefined ? say('list') : say('listOfAtMost', { count: String(maxItems) });
  return items?.properties ? say('listOfObjects', { list, names: namesIn(items) }) : list;
}

function namesIn({ properties = {} }: Field): string {
  return Object.keys(properties).join(', ');
}

function describeText<Words>({ minLength = 0, maxLength }: Field, say: FormatPhrase<Words>): Words | string {
  if (maxLength !== undefined) return say('textOfAtMost', { count: String(maxLength) });
  return say(minLength > 0 ? 'textNotEmpty' : 'text');
}

function describeNumber<Words>(
  { type, minimum, maximum, unit }: Field,
  say: FormatPhrase<Words>,
): Words | string {
  const kind = type === 'integer' ? 'wholeNumber' : 'number';
  const number = say(unit === 's' ? `${kind}OfSeconds` : kind);
  if (minimum === undefined) return number;
  if (maximum === undefined) return say('orMore', { number, minimum: String(minimum) });
  return say('fromTo', { number, minimum: String(minimum), maximum: String(maximum) });
}

/** Choices as a person reads them. */
export function oneOf<Words>(values: readonly unknown[], say: FormatPhrase<Words>): Words | string {
  return values.length === 1 ? String(values[0]) : say('oneOf', { values: values.join(', ') });
}

/** The longest part of a value or a name that a sentence repeats, in characters. */
const shownLength = 60;

/** A text, cut where it is longer than a sentence bears. */
export function shorten(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** A text without what would break a line, a log or a page, with a sign in the place of each. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]/gu, '\ufffd');
}

/** A value as a person recognises it, short enough for a sentence. Does not throw, whatever the value does. */
export function show(value: unknown): string {
  try {
    return printable(shown(value));
  } catch {
    return 'something that cannot be shown';
  }
}

function shown(value: unknown): string {
  if (Buffer.isBuffer(value)) return `a Buffer of ${value.length} bytes`;
  if (typeof value !== 'object' || value === null) return shorten(withoutLogin(showScalar(value)));
  // Its own word where it has one: a date, a value that is not known yet.
  if (!Array.isArray(value) && !isPlainObject(value)) return shorten(showInstance(value));
  return shorten(withoutLogin(begin(value, '')));
}

/** What lets a scheduler into another device (section 2.6a) is a password, and stands in no sentence. */
export function withoutLogin(text: string): string {
  return text.replace(/(\bAuthorization\W{1,6}Basic )[\w+/=]+/gi, '$1***');
}

function showScalar(value: unknown): string {
  // One more than is shown, so that it is seen to be cut.
  return typeof value === 'string' ? JSON.stringify(value.slice(0, shownLength + 1)) : String(value);
}

function showInstance(value: object): string {
  try {
    return String(value);
  } catch {
    return 'an object';
  }
}

/**
 * The beginning of a list or an object as JSON. It ends where enough is written: each level writes something, so
 * neither depth nor size nor a circle makes it go on.
 */
function begin(value: object, before: string): string {
  const isList = Array.isArray(value);
  let text = `${before}${isList ? '[' : '{'}`;
  // No more than can be shown: a list may have a million entries.
  const entries = isList ? value.slice(0, shownLength).entries() : Object.entries(value);
  let isFirst = true;
  for (const [name, inner] of entries as Iterable<[string | number, unknown]>) {
    if (text.length > shownLength) return text;
    if (!isFirst) text += ',';
    if (!isList) text += `${showScalar(name)}:`;
    const isNested = Array.isArray(inner) || isPlainObject(inner);
    text = isNested ? begin(inner, text) : `${text}${show(inner)}`;
    isFirst = false;
  }
  return `${text}${isList ? ']' : '}'}`;
}
