import { show } from '../catalogue/describe';
import { localized, localizedPhrase, type Text } from '../catalogue/localized-message';
import type { Phrase } from '../catalogue/phrases';

/**
 * Readers of properties: values as a person wrote them in a dialog, in a flow, in an environment variable or in a
 * message. A number can be a text, an empty value can mean a default, and `${NAME}` is a variable that is not set.
 * `shape.ts` checks values that a program wrote.
 */

/** The first fault of properties: the name of the property, and the sentence, which has the name too. */
export class PropertyFinding {
  constructor(
    readonly name: string,
    readonly sentence: Text,
  ) {}
}

/**
 * Reads one property: returns its value in the type that the program uses, or a finding.
 * @param name name of the property for the sentence, such as `ttl` or `msg.ttl`
 */
export type Property<T> = (value: unknown, name: string) => T | PropertyFinding;

type Properties = Readonly<Record<string, Property<unknown>>>;

/** The values of properties, by the name of each property. */
export type PropertyValues<P extends Properties> = {
  readonly [K in keyof P]: P[K] extends Property<infer T> ? T : never;
};

/** Reads the properties that have a reader, in the order of the readers. Returns their values, or the first finding. */
export function readProperties<P extends Properties>(
  readers: P,
  properties: { readonly [K in keyof P]?: unknown },
): PropertyValues<P> | PropertyFinding {
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const value = read(properties[name], name);
    if (value instanceof PropertyFinding) return value;
    values[name] = value;
  }
  return values as PropertyValues<P>;
}

/**
 * Returns a value that was read; throws the error for a finding.
 * @param toError creates the error from the sentence of the finding
 */
export function orThrow<T>(read: T | PropertyFinding, toError: (sentence: Text) => Error): T {
  if (read instanceof PropertyFinding) throw toError(read.sentence);
  return read;
}

/**
 * Returns the finding of a value that is not allowed. A variable that is not set has a sentence of its own.
 * @param limits the allowed values, as they follow the words "must be"
 */
export function wrong(name: string, limits: Text, value: unknown): PropertyFinding {
  const sentence = isUnresolved(value)
    ? localized('unsetVariable', { name, variable: value })
    : localizedPhrase('wrong', { place: name, limits, got: show(value) });
  return new PropertyFinding(name, sentence);
}

/** The value that stands for an empty one. Without it, an empty value is a fault. */
interface Default<E> {
  readonly empty?: E;
  /** Whether blanks around the value are removed, so that a blank value is empty. */
  readonly isTrimmed?: boolean;
}

/**
 * Makes a reader.
 * @param read returns the value, undefined if the given one is not allowed
 * @param limits the allowed values, as they follow the words "must be"
 */
export function property<T, const E = never>(
  read: (given: unknown) => T | undefined,
  limits: Text,
  options: Default<E> = {},
): Property<T | E> {
  return (value, name) => {
    const given = options.isTrimmed && typeof value === 'string' ? value.trim() : value;
    if (isEmpty(given) && 'empty' in options) return options.empty as E;
    return read(given) ?? wrong(name, limits, value);
  };
}

/** The limits of a number. `least` and `most` are included, `above` is not. */
type NumberLimits = (
  | { readonly least: number; readonly above?: never; readonly most?: number }
  | { readonly above: number; readonly least?: never; readonly most: number }
) & {
  readonly isWhole?: boolean;
  /** The words for a number with its unit; "a number" by default. */
  readonly unit?: Phrase;
};

/** A finite number, or the text of one. */
export function number<const E = never>(options: NumberLimits & Default<E>): Property<number | E> {
  const { least = Number.NEGATIVE_INFINITY, above = Number.NEGATIVE_INFINITY, isWhole } = options;
  const { most = Number.MAX_VALUE } = options;
  const read = (given: unknown) => {
    const found = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof found !== 'number' || !(found >= least && found > above && found <= most)) return undefined;
    return isWhole && !Number.isSafeInteger(found) ? undefined : found;
  };
  return property(read, limitsOf(options), options);
}

function limitsOf({ least, above, most, isWhole, unit = 'number' }: NumberLimits): Text {
  const kind = localizedPhrase(isWhole ? 'wholeNumber' : unit);
  const limits = { number: kind, minimum: String(above ?? least), maximum: String(most) };
  if (above !== undefined) return localizedPhrase('aboveTo', limits);
  return localizedPhrase(most === undefined ? 'orMore' : 'fromTo', limits);
}

/** A time in seconds, or the text of one. The limits and `empty` are in seconds, the result is in milliseconds. */
export function seconds<const E extends number | undefined = never>(
  options: NumberLimits & Default<E>,
): Property<number | Extract<E, undefined>> {
  const read = number({ unit: 'numberOfSeconds', ...options });
  return (value, name) => {
    const found = read(value, name);
    return typeof found === 'number' ? found * 1_000 : (found as PropertyFinding | Extract<E, undefined>);
  };
}

/** One of these words. The words `true` and `false` can also be given as booleans. */
export function choice<const T extends string, const E = never>(
  words: readonly T[],
  options: Default<E> = {},
): Property<T | E> {
  const read = (given: unknown) =>
    words.find((word) => word === (typeof given === 'boolean' ? String(given) : given));
  return property(read, localizedPhrase('oneOf', { values: words.join(', ') }), options);
}

interface TextLimits {
  /** Maximum length in characters. */
  readonly most?: number;
  /** Whether `${NAME}` is a text like any other. */
  readonly isFree?: boolean;
}

/** A text that is not empty; a number or a boolean is its text. */
export function text<const E = never>(options: TextLimits & Default<E> = {}): Property<string | E> {
  const { most, isFree } = options;
  const read = (given: unknown) => {
    if (!['string', 'number', 'boolean'].includes(typeof given) || (!isFree && isUnresolved(given)))
      return undefined;
    const words = String(given);
    return words !== '' && words.length <= (most ?? words.length) ? words : undefined;
  };
  const limits = localizedPhrase(most === undefined ? 'text' : 'textOfAtMost', { count: String(most) });
  return property(read, limits, options);
}

/** A name, names separated by commas, or a list of names: each name once, up to `most` of them. */
export function names({ most }: { readonly most: number }): Property<string[]> {
  const isName = (given: unknown) => typeof given === 'string' || Number.isFinite(given);
  const read = (given: unknown) => {
    const isAllowed = Array.isArray(given) ? given.length <= most && given.every(isName) : isName(given);
    const found = isAllowed ? listOf(given) : [];
    return isAllowed && found.length <= most ? [...new Set(found)] : undefined;
  };
  return property(read, localizedPhrase('namesOfAtMost', { count: String(most) }), { empty: [] });
}

/** The values of a list, or of a text with commas, as texts without blanks around them; no empty texts. */
export function listOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : String(value ?? '').split(',');
  return list.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

/** Whether a checkbox is selected, by the user or by an environment variable. Every other value means no. */
export function isOn(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

export function isEmpty(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/** Whether a value is still the name of an environment variable, because the variable is not set. */
export function isUnresolved(value: unknown): value is string {
  return typeof value === 'string' && /^\$\{[^}]+\}$|^\$\([^)]+\)$/.test(value);
}

/** Returns the value of a JSON text, undefined for another text; returns any other value as it is. */
export function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The part of Node-RED that reads a message. */
export interface MessageReader {
  getMessageProperty(message: object, path: string): unknown;
}

/**
 * Returns the value at a path in a message, undefined if the message has no such value, a finding if the path is not
 * valid.
 * @param name name of the property that has the path
 */
export function readMessageProperty(
  util: MessageReader,
  message: object,
  path: unknown,
  name: string,
): unknown {
  try {
    if (typeof path === 'string' && path !== '') return util.getMessageProperty(message, path);
  } catch (error) {
    // If `msg.a` is missing, reading `msg.a.b` throws a TypeError.
    if (error instanceof TypeError) return undefined;
  }
  return wrong(name, localizedPhrase('messageProperty'), path);
}
