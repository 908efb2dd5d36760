import type { Field, Fields } from './operation';

/**
 * Brings values to the types of the wire where that loses nothing; what cannot be brought there stays as it
 * is, for the validator to name. A parameter that is undefined is absent.
 */
export function coerceParameters(
  fields: Fields,
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const present = Object.entries(raw).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, field ? coerce(field, value) : value];
    }),
  );
}

function coerce(field: Field, value: unknown): unknown {
  if (field.type === 'string') return toText(value);
  if (field.type === 'boolean') return toBoolean(value);
  if (field.type === 'integer' || field.type === 'number') return toNumber(value);
  if (isPlainObject(value)) return coerceParameters(field.properties ?? {}, value);
  return value;
}

function toText(value: unknown): unknown {
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : value;
}

function toBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value;
}

function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value;
  const number = Number(value);
  return Number.isFinite(number) && String(number) === value ? number : value;
}

/** Whether a value is an object such as JSON gives: no list, no Buffer, no instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // A function node's objects come from another realm: their prototype is not ours, but it is a root too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
