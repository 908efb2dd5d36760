import { isPlainObject } from './coerce';
import type { Field, Format } from './operation';
import type { FormatPhrase } from './phrases';

export function describeField<Words>(
  field: Field | undefined,
  formatPhrase: FormatPhrase<Words>,
): Words | string {
  if (!field) return formatPhrase('known');
  const { limits, names, words } = field;
  if (limits) return formatPhrase(limits);
  if (words)
    return formatPhrase('either', {
      first: oneOf(words, formatPhrase),
      second: describePlain(field, formatPhrase),
    });
  if (names && field.enum) return oneOf([...names, ...field.enum], formatPhrase);
  if (!names) return describePlain(field, formatPhrase);
  return formatPhrase('either', {
    first: describePlain(field, formatPhrase),
    second: oneOf(names, formatPhrase),
  });
}

export function choicesOf({
  limits,
  names = [],
  words,
  enum: values,
}: Field): readonly unknown[] | undefined {
  return limits || words || !values ? undefined : [...names, ...values];
}

function describePlain<Words>(field: Field, formatPhrase: FormatPhrase<Words>): Words | string {
  if (field.enum) return oneOf(field.enum, formatPhrase);
  if (field.format) return describeFormat(field.format, field, formatPhrase);
  if (field.type === 'object') return formatPhrase('object', { names: namesIn(field) });
  if (field.type === 'array') return describeList(field, formatPhrase);
  if (field.type === 'binary') return formatPhrase(field.encoding ? 'bufferOrText' : 'buffer');
  if (field.type === 'string') return describeText(field, formatPhrase);
  if (field.type === 'integer' || field.type === 'number') return describeNumber(field, formatPhrase);
  return formatPhrase(field.type);
}

function describeFormat<Words>(
  format: Format,
  { maxLength }: Field,
  formatPhrase: FormatPhrase<Words>,
): Words | string {
  if (maxLength === undefined) return formatPhrase(format);
  return formatPhrase('charactersAtMost', { count: String(maxLength), format: formatPhrase(format) });
}

function describeList<Words>({ items, maxItems }: Field, formatPhrase: FormatPhrase<Words>): Words | string {
  const list =
    maxItems === undefined ? formatPhrase('list') : formatPhrase('listOfAtMost', { count: String(maxItems) });
  return items?.properties ? formatPhrase('listOfObjects', { list, names: namesIn(items) }) : list;
}

function namesIn({ properties = {} }: Field): string {
  return Object.keys(properties).join(', ');
}

function describeText<Words>(
  { minLength = 0, maxLength }: Field,
  formatPhrase: FormatPhrase<Words>,
): Words | string {
  if (maxLength !== undefined) return formatPhrase('textOfAtMost', { count: String(maxLength) });
  return formatPhrase(minLength > 0 ? 'textNotEmpty' : 'text');
}

function describeNumber<Words>(
  { type, minimum, maximum, unit }: Field,
  formatPhrase: FormatPhrase<Words>,
): Words | string {
  const kind = type === 'integer' ? 'wholeNumber' : 'number';
  const number = formatPhrase(unit === 's' ? `${kind}OfSeconds` : kind);
  if (minimum === undefined) return number;
  if (maximum === undefined) return formatPhrase('orMore', { number, minimum: String(minimum) });
  return formatPhrase('fromTo', { number, minimum: String(minimum), maximum: String(maximum) });
}

export function oneOf<Words>(values: readonly unknown[], formatPhrase: FormatPhrase<Words>): Words | string {
  return values.length === 1 ? String(values[0]) : formatPhrase('oneOf', { values: values.join(', ') });
}

const shownLength = 60;

export function shorten(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/**
 * Replaces characters that would break a line, a log or a page, such as control characters, line separators
 * and single surrogates.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]/gu, '\ufffd');
}

/** Returns a short form of a value that a user recognizes. Never throws, even if reading the value throws. */
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
  // An instance, such as a date, and the marker for an unknown value provide their own text.
  if (!Array.isArray(value) && !isPlainObject(value)) return shorten(showInstance(value));
  return shorten(withoutLogin(jsonStartOf(value, '')));
}

/** Whether a value of this name is as secret as a password. */
export type IsSecret = (name: string) => boolean;

/** Whether a setting, a field or a header of this name holds a password or a login, such as `api.admin.pwd`. */
export function isPasswordName(name: string): boolean {
  return /pwd|passw(?:or)?d|passphrase|secret|token|psk|authorization$|pass$|(?:^|[._-])key$/i.test(name);
}

/** Whether a value of this name is not shown in an error. The header of a call to another device can have a login. */
export function isHidden(name: string): boolean {
  return isPasswordName(name) || name === 'header';
}

/**
 * Replaces the credentials of `Authorization` and `X-Token` headers in a text with stars. The header of a
 * call to another device (section 2.6a) can contain credentials.
 */
export function withoutLogin(text: string): string {
  return text.replace(/(Authorization[^\w*]{1,6}(?:Basic|Bearer) |X-Token[^\w*]{1,6})[^\s"\\]+/gi, '$1***');
}

function showScalar(value: unknown): string {
  // The slice has one character more than the maximum, so that `shorten` recognizes the cut.
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
 * Appends the start of a list or an object, as JSON, to the text `before`. Stops when the text is longer than
 * `shownLength`. Each level adds text, so deep and cyclic values are harmless.
 */
function jsonStartOf(value: object, before: string): string {
  const isList = Array.isArray(value);
  let text = `${before}${isList ? '[' : '{'}`;
  // A list can have a million entries, so only the first entries are read.
  const entries = isList ? value.slice(0, shownLength).entries() : Object.entries(value);
  let isFirst = true;
  for (const [name, inner] of entries as Iterable<[string | number, unknown]>) {
    if (text.length > shownLength) return text;
    if (!isFirst) text += ',';
    if (!isList) text += `${showScalar(name)}:`;
    if (!isList && isHidden(String(name))) text += '"***"';
    else if (Array.isArray(inner) || isPlainObject(inner)) text = jsonStartOf(inner, text);
    else text += show(inner);
    isFirst = false;
  }
  return `${text}${isList ? ']' : '}'}`;
}
