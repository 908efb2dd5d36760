import { isSecret } from '../log/secrets';
import { isAtLeast } from '../product/firmware';
import type { Model, Products } from '../product/models';

/** What a check may ask about the device that does the checking. */
export interface DeviceTraits {
  readonly model: Model;
  readonly firmware: string;
  /** Unknown fields are ignored instead of refused. */
  readonly lenient: boolean;
  /** Names in the `tones` folder. */
  hasTone(name: string): boolean;
  /** Names and paths of files in the file manager. */
  hasFile(name: string): boolean;
}

/** Says all that is wrong with a value, in sentences. `T` is what the value is when nothing is wrong. */
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

/** The type of an object that has passed the check of these fields. */
export type ObjectOf<F extends Fields> = { readonly [K in RequiredNames<F>]: ValueOf<F[K]> } & {
  readonly [K in Exclude<keyof F, RequiredNames<F>>]?: ValueOf<F[K]>;
};

interface Gate {
  /** Minimum firmware of the field. */
  readonly since?: string;
  /** Models that have the field. */
  readonly products?: Products;
}

/** A field that must be there. */
export function required<T>(check: Check<T>, gate: Gate = {}): Field<T, true> {
  return { check, required: true, ...gate };
}

/** A field that may be left out. */
export function optional<T>(check: Check<T>, gate: Gate = {}): Field<T, false> {
  return { check, required: false, ...gate };
}

const noMistakes: readonly string[] = [];

/** `level must be a string, not 5`; a value that is nobody's business is not shown. */
export function mismatch(name: string, wanted: string, value: unknown): readonly string[] {
  return [`${short(name)} must be ${wanted}, not ${isSecret(name) ? 'that' : show(value)}`];
}

/** Words of a sentence that came from outside, cut to what a person reads. */
function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function show(value: unknown): string {
  return short(JSON.stringify(value) ?? String(value));
}

/** A check with one sentence: what the value must be. */
export function rule<T>(wanted: string, holds: (value: unknown) => boolean): Check<T> {
  return (value, name) => (holds(value) ? noMistakes : mismatch(name, wanted, value));
}

/** A string, and if it is one, what `holds` says: a wrong type is called a wrong type. */
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
/** The document's "integer seconds". */
export const seconds: Check<number> = rule(
  'a whole number of seconds',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
/** The document's "string, seconds". */
export const secondsText: Check<string> = rule(
  'a string with a whole number of seconds',
  (value) => typeof value === 'string' && /^\d+$/.test(value) && Number.isSafeInteger(Number(value)),
);
/** A port number, which the document wants as a string. */
export const portText: Check<string> = rule(
  'a string with a port number from 1 to 65535',
  (value) => typeof value === 'string' && isPort(value),
);
/** A level in dB, such as "-30dB" or "-30". */
export const decibelText: Check<string> = rule(
  'a string with a level in dB',
  (value) => typeof value === 'string' && /^-?\d+(\.\d+)?( ?dB)?$/.test(value),
);
export const integer: Check<number> = rule('an integer', (value) => Number.isSafeInteger(value));

/** Whether a text is a port number, written as JSON would write it. */
export function isPort(written: string): boolean {
  return /^[1-9]\d{0,4}$/.test(written) && Number(written) <= 65535;
}

/** A whole number from `low` to `high`, both included. */
export function integerFrom(low: number, high: number): Check<number> {
  return rule(
    `an integer from ${low} to ${high}`,
    (value) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high,
  );
}

/** One of these words, or of these numbers. */
export function oneOf<const W extends string | number>(...words: readonly W[]): Check<W> {
  const type = typeof words[0] === 'number' ? 'number' : 'string';
  const wanted = words.map(show).join(' or ');
  return (value, name) => {
    if (typeof value !== type) return mismatch(name, type === 'number' ? 'an integer' : 'a string', value);
    return words.some((word) => word === value) ? noMistakes : mismatch(name, wanted, value);
  };
}

/** A string of a form, said in words and as a pattern. */
export function matching(wanted: string, pattern: RegExp): Check<string> {
  return textThat(wanted, (value) => pattern.test(value));
}

/** Either of two checks; `wanted` are the words for both. */
export function either<A, B>(first: Check<A>, second: Check<B>, wanted: string): Check<A | B> {
  return (value, name, device) => {
    const fits = (check: Check<unknown>): boolean => check(value, name, device).length === 0;
    return fits(first) || fits(second) ? noMistakes : mismatch(name, wanted, value);
  };
}

/** The name of any file in the folder tones is a tone name (section 2.6). */
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

/** A file of the file manager that the screen is to show (section 4.8). */
export const pictureName: Check<string> = existing('image', 'the file manager', (name, device) =>
  device.hasFile(name),
);

/** A file of the file manager that an event is to play (section 2.6a). */
export const audioName: Check<string> = existing('audio file', 'the file manager', (name, device) =>
  device.hasFile(name),
);

/** An object with these fields and no others. `also` looks at fields together, once each is right by itself. */
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

/** An object of any names, each accepted by `key`, with values accepted by `item`; at least one. */
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

/** A list, each entry of which passes; at most so many. */
export function list<T>(item: Check<T>, max = Number.POSITIVE_INFINITY): Check<readonly T[]> {
  return (value, name, device) => {
    if (!Array.isArray(value)) return mismatch(name, 'a list', value);
    if (value.length > max) return [`${name} must have at most ${max} entries, not ${value.length}`];
    return value.flatMap((entry, index) => item(entry, `${name}[${index}]`, device));
  };
}

/** Mistakes that one sentence tells; of more than these only the number. */
const maxMistakes = 10;

/** Mistakes as one text for a person. */
export function sentence(mistakes: readonly string[]): string {
  const told = mistakes.slice(0, maxMistakes);
  const more = mistakes.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
