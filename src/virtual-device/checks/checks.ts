import { isSecret } from '../log/secrets';
import { isAtLeast } from '../product/firmware';
import type { Model, Products } from '../product/models';

export interface DeviceTraits {
  readonly model: Model;
  readonly firmware: string;
  /**
   * Whether unknown fields, unexpected bodies and queries, and parameters of the content type are ignored
   * instead of rejected.
   */
  readonly lenient: boolean;
  hasTone(name: string): boolean;
  hasFile(name: string): boolean;
}

/**
 * A check that returns all mistakes in a value as sentences; an empty list for a valid value. `T` is the type
 * of a valid value.
 */
export interface Check<T> {
  (value: unknown, name: string, device: DeviceTraits): readonly string[];
  readonly accepts?: T;
}

export interface Field<T, R extends boolean = boolean> {
  readonly check: Check<T>;
  readonly required: R;
  readonly since?: string;
  readonly products?: Products;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type RequiredNames<F extends Fields> = {
  [K in keyof F]: F[K]['required'] extends true ? K : never;
}[keyof F];
type ValueOf<X> = X extends Field<infer T> ? T : never;

export type ObjectOf<F extends Fields> = { readonly [K in RequiredNames<F>]: ValueOf<F[K]> } & {
  readonly [K in Exclude<keyof F, RequiredNames<F>>]?: ValueOf<F[K]>;
};

interface Gate {
  readonly since?: string;
  readonly products?: Products;
}

export function required<T>(check: Check<T>, gate: Gate = {}): Field<T, true> {
  return { check, required: true, ...gate };
}

export function optional<T>(check: Check<T>, gate: Gate = {}): Field<T, false> {
  return { check, required: false, ...gate };
}

const noMistakes: readonly string[] = [];

export function mismatch(name: string, wanted: string, value: unknown): readonly string[] {
  // The log shows no values of secret fields, and not all parts of a call.
  const isHidden = isSecret(name) || /\bapi_call\b/.test(name);
  return [`${short(name)} must be ${wanted}, not ${isHidden ? 'that' : show(value)}`];
}

/** Returns the start of a text that is too long for a message. */
export function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Returns the start of a value as JSON, or the type of a list or an object, for a message. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return short(JSON.stringify(value) ?? String(value));
}

export function rule<T>(wanted: string, holds: (value: unknown) => boolean): Check<T> {
  return (value, name) => (holds(value) ? noMistakes : mismatch(name, wanted, value));
}

/**
 * Creates a check of a string. For a value of another type, the message asks for a string and does not
 * mention `wanted`.
 */
export function textThat<T extends string = string>(
  wanted: string,
  holds: (value: string) => boolean,
): Check<T> {
  return (value, name) => {
    if (typeof value !== 'string') return mismatch(name, 'a string', value);
    return holds(value) ? noMistakes : mismatch(name, wanted, value);
  };
}

export const text: Check<string> = textThat('a string', () => true);
export const nonEmptyText: Check<string> = textThat('a string that is not empty', (value) => value !== '');
export const flag: Check<boolean> = rule('true or false', (value) => typeof value === 'boolean');
/** The "integer seconds" of the interface document. */
export const seconds: Check<number> = rule(
  'a whole number of seconds',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
/** The "string, seconds" of the interface document. */
export const secondsText: Check<string> = rule(
  'a string with a whole number of seconds',
  (value) => typeof value === 'string' && /^\d+$/.test(value) && Number.isSafeInteger(Number(value)),
);
/** A port number, which the interface document defines as a string. */
export const portText: Check<string> = rule(
  'a string with a port number from 1 to 65535',
  (value) => typeof value === 'string' && isPort(value),
);
/** A level in dB, such as "-30dB" or "-30". */
export const decibelText: Check<string> = rule(
  'a string with a level in dB',
  (value) => typeof value === 'string' && /^-?\d+(\.\d+)?( ?dB)?$/.test(value),
);
/** A number of a pattern, an extension or a zone: the interface document has no negative ones. */
export const naturalNumber: Check<number> = rule(
  'an integer of at least 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const integer: Check<number> = rule('an integer', (value) => Number.isSafeInteger(value));

export function isPort(written: string): boolean {
  return /^[1-9]\d{0,4}$/.test(written) && Number(written) <= 65535;
}

export function integerFrom(low: number, high: number): Check<number> {
  return rule(
    `an integer from ${low} to ${high}`,
    (value) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high,
  );
}

export function oneOf<const W extends string | number>(...words: readonly W[]): Check<W> {
  const type = typeof words[0] === 'number' ? 'number' : 'string';
  const wanted = words.map(show).join(' or ');
  return (value, name) => {
    if (typeof value !== type) return mismatch(name, type === 'number' ? 'an integer' : 'a string', value);
    return words.some((word) => word === value) ? noMistakes : mismatch(name, wanted, value);
  };
}

export function matching(wanted: string, pattern: RegExp): Check<string> {
  return textThat(wanted, (value) => pattern.test(value));
}

export function either<A, B>(first: Check<A>, second: Check<B>, wanted: string): Check<A | B> {
  return (value, name, device) => {
    const fits = (check: Check<unknown>): boolean => check(value, name, device).length === 0;
    return fits(first) || fits(second) ? noMistakes : mismatch(name, wanted, value);
  };
}

/** The name of a tone: every file in the folder `tones` is a tone (section 2.6). */
export const toneName: Check<string> = existing('tone', 'the tones folder', (name, device) =>
  device.hasTone(name),
);

function existing(
  kind: string,
  place: string,
  isThere: (name: string, device: DeviceTraits) => boolean,
): Check<string> {
  return (value, name, device) => {
    const wrong = nonEmptyText(value, name, device);
    if (wrong.length > 0 || isThere(String(value), device)) return wrong;
    return [`${name}: there is no ${kind} ${show(value)} in ${place}`];
  };
}

/** The name of a picture for the screen (section 4.8). */
export const pictureName: Check<string> = existing('image', 'the file manager', (name, device) =>
  device.hasFile(name),
);

/** The name of the audio file of an event (section 2.6a). */
export const audioName: Check<string> = existing('audio file', 'the file manager', (name, device) =>
  device.hasFile(name),
);

/**
 * Creates a check of an object with only the given fields; a lenient device accepts further fields. After all
 * fields have passed, `also` checks rules across fields.
 */
export function object<F extends Fields>(
  fields: F,
  also?: (value: ObjectOf<F>, device: DeviceTraits) => string | undefined,
): Check<ObjectOf<F>> {
  return (value, name, device) => {
    if (!isObject(value)) return mismatch(name || 'the body', 'an object', value);
    const nameOf = (key: string): string => (name ? `${name}.${key}` : key);
    const odd = device.lenient ? [] : Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
    const wrong = Object.entries(fields).flatMap(([key, field]) => {
      const own = Object.hasOwn(value, key) ? value[key] : undefined;
      return checkField(field, own, nameOf(key), device);
    });
    const mistakes = [...odd.map((key) => `${short(nameOf(key))} is not known here`), ...wrong];
    const together = mistakes.length === 0 ? also?.(value as ObjectOf<F>, device) : undefined;
    return together === undefined ? mistakes : [together];
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkField(
  field: Field<unknown>,
  value: unknown,
  name: string,
  device: DeviceTraits,
): readonly string[] {
  if (value === undefined) return field.required ? [`${name} is missing`] : noMistakes;
  if (field.since && !isAtLeast(device.firmware, field.since))
    return [`${name} needs firmware ${field.since} or newer; this device has ${device.firmware}`];
  if (field.products && !field.products(device.model))
    return [`${name} does not exist on model ${device.model.number}`];
  return field.check(value, name, device);
}

export function dictionary<T>(key: Check<string>, item: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value, name, device) => {
    if (!isObject(value)) return mismatch(name || 'the body', 'an object', value);
    const entries = Object.entries(value);
    if (entries.length === 0) return [`${name || 'the body'} is empty`];
    return entries.flatMap(([own, content]) => {
      const wrong = key(own, `the name ${show(own)}`, device);
      return wrong.length > 0 ? wrong : item(content, own, device);
    });
  };
}

export function list<T>(item: Check<T>, max = Number.POSITIVE_INFINITY): Check<readonly T[]> {
  return (value, name, device) => {
    if (!Array.isArray(value)) return mismatch(name, 'a list', value);
    if (value.length > max) return [`${name} must have at most ${max} entries, not ${value.length}`];
    return value.flatMap((entry, index) => item(entry, `${name}[${index}]`, device));
  };
}

/** Maximum number of mistakes that a message lists. The message only counts further mistakes. */
export const maxMistakes = 10;

export function sentence(mistakes: readonly string[]): string {
  const listed = mistakes.slice(0, maxMistakes);
  const more = mistakes.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
