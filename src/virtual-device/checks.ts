import { isAtLeast } from './firmware';
import { isSecret } from './log';
import type { Model, Products } from './models';

/** What a check may ask about the device that does the checking. */
export interface Traits {
  readonly model: Model;
  readonly firmware: string;
  /** Unknown fields are ignored instead of refused. */
  readonly lenient: boolean;
  /** Names in the `tones` folder. */
  hasTone(name: string): boolean;
}

/** Says what is wrong with a value, in words, or nothing. `T` is what the value is when nothing is wrong. */
export interface Check<T> {
  (value: unknown, name: string, device: Traits): string | undefined;
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

export function required<T>(check: Check<T>, gate: Gate = {}): Field<T, true> {
  return { check, required: true, ...gate };
}

export function optional<T>(check: Check<T>, gate: Gate = {}): Field<T, false> {
  return { check, required: false, ...gate };
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function rule<T>(wanted: string, holds: (value: unknown) => boolean): Check<T> {
  return (value, name) =>
    holds(value) ? undefined : `${name} must be ${wanted}, not ${isSecret(name) ? 'that' : show(value)}`;
}

export const text: Check<string> = rule('a string', (value) => typeof value === 'string');
export const nonEmptyText: Check<string> = rule(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const flag: Check<boolean> = rule('true or false', (value) => typeof value === 'boolean');
/** The document's "integer seconds". */
export const seconds: Check<number> = rule(
  'a whole number of seconds',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
/** The document's "string, seconds". */
export const secondsText: Check<string> = rule(
  'a string with a whole number of seconds',
  (value) => typeof value === 'string' && /^\d{1,9}$/.test(value),
);
/** A port number, which the document wants as a string. */
export const portText: Check<string> = rule(
  'a string with a port number from 1 to 65535',
  (value) => typeof value === 'string' && /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65535,
);
/** A level in dB, such as "-30dB" or "-30". */
export const decibelText: Check<string> = rule(
  'a string with a level in dB',
  (value) => typeof value === 'string' && /^-?\d+(\.\d+)?( ?dB)?$/.test(value),
);
export const integer: Check<number> = rule('an integer', (value) => Number.isSafeInteger(value));

export function integerFrom(low: number, high: number): Check<number> {
  return rule(
    `an integer from ${low} to ${high}`,
    (value) => Number.isInteger(value) && Number(value) >= low && Number(value) <= high,
  );
}

export function oneOf<const W extends string | number>(...words: readonly W[]): Check<W> {
  return rule(words.map((word) => show(word)).join(' or '), (value) => words.some((word) => word === value));
}

export function matching(wanted: string, pattern: RegExp): Check<string> {
  return rule(wanted, (value) => typeof value === 'string' && pattern.test(value));
}

/** Either of two checks; the first one's words are reported. */
export function either<A, B>(first: Check<A>, second: Check<B>): Check<A | B> {
  return (value, name, device) =>
    second(value, name, device) === undefined ? undefined : first(value, name, device);
}

/** The name of any file in the folder tones is a tone name (section 2.6). */
export const toneName: Check<string> = (value, name, device) =>
  text(value, name, device) ??
  (device.hasTone(String(value))
    ? undefined
    : `${name}: there is no tone ${show(value)} in the tones folder`);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkField(field: Field<unknown>, value: unknown, name: string, device: Traits): string | undefined {
  if (value === undefined) return field.required ? `${name} is missing` : undefined;
  if (field.since && !isAtLeast(device.firmware, field.since))
    return `${name} needs firmware ${field.since} or newer; this device has ${device.firmware}`;
  if (field.products && !field.products(device.model))
    return `${name} does not exist on model ${device.model.number}`;
  return field.check(value, name, device);
}

/** An object with these fields and no others. `also` looks at fields together, once each is right by itself. */
export function object<F extends Fields>(
  fields: F,
  also?: (value: ObjectOf<F>, device: Traits) => string | undefined,
): Check<ObjectOf<F>> {
  return (value, name, device) => {
    if (!isObject(value)) return `${name || 'the body'} must be an object, not ${show(value)}`;
    const nameOf = (key: string): string => (name ? `${name}.${key}` : key);
    const unknownKey = Object.keys(value).find((key) => !Object.hasOwn(fields, key));
    if (unknownKey !== undefined && !device.lenient) return `${nameOf(unknownKey)} is not known here`;
    for (const [key, field] of Object.entries(fields)) {
      const own = Object.hasOwn(value, key) ? value[key] : undefined;
      const problem = checkField(field, own, nameOf(key), device);
      if (problem) return problem;
    }
    return also?.(value as ObjectOf<F>, device);
  };
}

/** An object of any names, each accepted by `name`, with values accepted by `item`; at least one. */
export function dictionary<T>(key: Check<string>, item: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value, name, device) => {
    if (!isObject(value)) return `${name || 'the body'} must be an object, not ${show(value)}`;
    const entries = Object.entries(value);
    if (entries.length === 0) return `${name || 'the body'} is empty`;
    for (const [own, content] of entries) {
      const problem = key(own, `the name ${show(own)}`, device) ?? item(content, own, device);
      if (problem) return problem;
    }
    return undefined;
  };
}

export function list<T>(item: Check<T>, most = Number.POSITIVE_INFINITY): Check<readonly T[]> {
  return (value, name, device) => {
    if (!Array.isArray(value)) return `${name} must be a list, not ${show(value)}`;
    if (value.length > most) return `${name} must have at most ${most} entries, not ${value.length}`;
    for (const [index, entry] of value.entries()) {
      const problem = item(entry, `${name}[${index}]`, device);
      if (problem) return problem;
    }
    return undefined;
  };
}
