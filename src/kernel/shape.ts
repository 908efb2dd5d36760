import { isRecord } from '../json';

/**
 * The form of a value that comes from outside: from the journal, from a broker, from a message. A shape is a check;
 * larger shapes are made of smaller ones. A value that passes has the type of the shape.
 */
export type Shape<T> = (value: unknown) => value is T;

/** The type of the values that pass a shape. */
export type Of<S> = S extends Shape<infer T> ? T : never;

type Fields = Readonly<Record<string, Shape<unknown>>>;

type Needed<F extends Fields> = { readonly [K in keyof F]: Of<F[K]> };
type Optional<F extends Fields> = { readonly [K in keyof F]?: Of<F[K]> | undefined };

/** Returns a reader for a shape, which returns undefined for a value of another form. */
export function reader<T>(shape: Shape<T>): (value: unknown) => T | undefined {
  return (value) => (shape(value) ? value : undefined);
}

/** A text of limited length, in characters. */
export function text(limits: { readonly least?: number; readonly most?: number } = {}): Shape<string> {
  const { least = 0, most = Number.POSITIVE_INFINITY } = limits;
  return (value): value is string =>
    typeof value === 'string' && value.length >= least && value.length <= most;
}

/** A finite number within limits, which are included. */
export function number(limits: { readonly least?: number; readonly most?: number } = {}): Shape<number> {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = limits;
  return (value): value is number =>
    Number.isFinite(value) && Number(value) >= least && Number(value) <= most;
}

/** A whole number from 0. */
export const count: Shape<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** A time in epoch milliseconds that a Date can have. */
export const time: Shape<number> = (value): value is number =>
  typeof value === 'number' && !Number.isNaN(new Date(value).getTime());

export const flag: Shape<boolean> = (value): value is boolean => typeof value === 'boolean';

export const anything: Shape<unknown> = (_value): _value is unknown => true;

/** An object with any fields. */
export const object: Shape<Record<string, unknown>> = isRecord;

/** One of these values. */
export function oneOf<const T extends readonly (string | number | boolean | null)[]>(
  ...values: T
): Shape<T[number]> {
  return (value): value is T[number] => values.includes(value as T[number]);
}

/** A value of one of two shapes. */
export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return (value): value is A | B => one(value) || other(value);
}

/** A list of limited length whose entries have one shape. */
export function list<T>(entry: Shape<T>, most = Number.POSITIVE_INFINITY): Shape<readonly T[]> {
  return (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= most && value.every((one) => entry(one));
}

/** A list of exactly two entries. */
export function pair<A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> {
  return (value): value is readonly [A, B] =>
    Array.isArray(value) && value.length === 2 && first(value[0]) && second(value[1]);
}

/** An object with the needed fields, perhaps with the optional ones, and with no other field. */
export function closed<N extends Fields, O extends Fields = Readonly<Record<never, never>>>(
  needed: N,
  optional?: O,
): Shape<Needed<N> & Optional<O>> {
  return fields(needed, optional, () => false);
}

/** An object like `closed` that may have other fields too, which a newer version might add. */
export function open<N extends Fields, O extends Fields = Readonly<Record<never, never>>>(
  needed: N,
  optional?: O,
): Shape<Needed<N> & Optional<O>> {
  return fields(needed, optional, (name) => name !== '__proto__');
}

function fields<N extends Fields, O extends Fields>(
  needed: N,
  optional: O | undefined,
  isAllowed: (name: string) => boolean,
): Shape<Needed<N> & Optional<O>> {
  const all = new Map(Object.entries({ ...needed, ...optional }));
  return (value): value is Needed<N> & Optional<O> =>
    isRecord(value) &&
    Object.keys(needed).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, entry]) => {
      const shape = all.get(name);
      if (!shape) return isAllowed(name);
      return shape(entry) || (entry === undefined && !Object.hasOwn(needed, name));
    });
}
