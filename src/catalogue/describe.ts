import { isPlainObject } from './coerce';
import { formats } from './formats';
import type { Field } from './operation';

/** What a field may be, in words that fit behind "must be" and "it is". */
export function describeField(field: Field | undefined): string {
  if (!field) return 'known';
  const { names, words } = field;
  if (words) return `${oneOf(words)}, or ${describePlain(field)}`;
  if (names && field.enum) return `one of ${[...names, ...field.enum].join(', ')}`;
  return names ? `${describePlain(field)}, or one of ${names.join(', ')}` : describePlain(field);
}

function describePlain(field: Field): string {
  if (field.enum) return oneOf(field.enum);
  if (field.format) return describeFormat(field);
  if (field.type === 'boolean') return 'true or false';
  if (field.type === 'flag') return 'true, false, 1 or 0';
  if (field.type === 'setting') return 'text or a number (on and off are written "1" and "0")';
  if (field.type === 'object') return `an object of ${Object.keys(field.properties ?? {}).join(', ')}`;
  if (field.type === 'array') return describeList(field);
  if (field.type === 'any') return 'an object, a list, a text or a Buffer';
  if (field.type === 'binary') return describeBinary(field);
  if (field.type === 'string') return describeText(field);
  return describeNumber(field);
}

function describeFormat({ format, maxLength }: Field): string {
  const words = format ? formats[format].words : '';
  return maxLength === undefined ? words : `at most ${maxLength} characters ${words}`;
}

function describeList({ items, maxItems }: Field): string {
  const list = maxItems === undefined ? 'a list' : `a list of at most ${maxItems} entries`;
  return items?.properties ? `${list}, each an object of ${Object.keys(items.properties).join(', ')}` : list;
}

function describeBinary({ encoding }: Field): string {
  return encoding ? 'a Buffer or text' : 'a Buffer (let the http request node return a binary buffer)';
}

function describeText({ minLength = 0, maxLength }: Field): string {
  if (maxLength !== undefined) return `text of at most ${maxLength} characters`;
  return minLength > 0 ? 'text, not empty' : 'text';
}

function describeNumber({ type, minimum, maximum, unit }: Field): string {
  const kind = `a ${type === 'integer' ? 'whole ' : ''}number${unit === 's' ? ' of seconds' : ''}`;
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  return minimum === undefined ? kind : `${kind}, ${minimum} or more`;
}

/** Choices as a person reads them. */
export function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

/** The longest part of a value or a name that a sentence repeats, in characters. */
const shownLength = 60;

/** A text, cut where it is longer than a sentence bears. */
export function shorten(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** A value as a person recognises it, short enough for a sentence. */
export function show(value: unknown): string {
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
