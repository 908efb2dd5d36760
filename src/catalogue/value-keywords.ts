import { isPlainObject } from './coerce';
import { formats, isAcceptable } from './formats';
import type { Format } from './operation';

export type Test = (data: unknown) => boolean;

/**
 * The keywords of JSON Schema that test a value by itself. Each entry creates a test from the value of the
 * keyword.
 * @throws Error for an unknown type or format
 */
export const valueKeywords: Readonly<Record<string, (value: never) => Test>> = {
  type: (type: string) => known(types, type, 'type'),
  enum: (values: readonly unknown[]) => (data) => values.includes(data),
  minimum: (min: number) => (data) => typeof data !== 'number' || data >= min,
  maximum: (max: number) => (data) => typeof data !== 'number' || data <= max,
  minLength: (min: number) => (data) => typeof data !== 'string' || !isShorter(data, min),
  maxLength: (max: number) => (data) => typeof data !== 'string' || isShorter(data, max + 1),
  minItems: (min: number) => (data) => !Array.isArray(data) || data.length >= min,
  maxItems: (max: number) => (data) => !Array.isArray(data) || data.length <= max,
  format: (name: Format) => {
    known(formats, name, 'format');
    return (data) => typeof data !== 'string' || isAcceptable(name, data);
  },
  binary: (_: true) => Buffer.isBuffer,
};

const types: Readonly<Record<string, Test>> = {
  string: (data) => typeof data === 'string',
  number: Number.isFinite,
  // JavaScript does not store integers above `Number.MAX_SAFE_INTEGER` exactly.
  integer: Number.isSafeInteger,
  boolean: (data) => typeof data === 'boolean',
  null: (data) => data === null,
  array: Array.isArray,
  object: isPlainObject,
};

function known<T>(table: Readonly<Record<string, T>>, name: string, kind: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw new Error(`A schema has the ${kind} ${name}, which is not known here`);
  return found;
}

/** JSON Schema counts a surrogate pair as one character. */
function isShorter(text: string, length: number): boolean {
  if (text.length < length) return true;
  return text.length < 2 * length && text.length - pairsIn(text) < length;
}

/** Returns how many characters of a text take two units of UTF-16. */
function pairsIn(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.codePointAt(index) ?? 0) <= 0xffff) continue;
    pairs += 1;
    index += 1;
  }
  return pairs;
}
