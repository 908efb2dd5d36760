import { normalized } from './formats';
import type { Field, Fields, Shape, When } from './operation';

/**
 * Brings values to the types of the wire where that loses nothing; what cannot be brought there stays as it
 * is, for the validator to name. A parameter that is undefined is absent.
 */
export function coerceParameters(
  { fields, others }: Pick<Shape, 'fields' | 'others'>,
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const present = Object.entries(raw).filter(([, value]) => value !== undefined);
  const kept = present.filter(([name]) => !isGenerated(fields, name, raw));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : others?.value;
      return [name, field ? coerce(field, value) : value];
    }),
  );
}

/** Whether the conditions hold for the values given. */
export function holds(when: When, given: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(when).every(([name, values]) => {
    if (!Object.hasOwn(given, name) || given[name] === undefined) return false;
    return values.length === 0 || values.includes(String(given[name]));
  });
}

/** Whether a field is the device's own word about a record that it already has. */
function isGenerated(fields: Fields, name: string, record: Readonly<Record<string, unknown>>): boolean {
  const generated = Object.hasOwn(fields, name) ? fields[name]?.generated : undefined;
  if (!generated || !holds({ [generated.id]: [] }, record)) return false;
  return !generated.except || !holds(generated.except, record);
}

function coerce(field: Field, value: unknown): unknown {
  const name = nameIn(field, value);
  if (name !== undefined) return name;
  if (field.type === 'object') {
    return isPlainObject(value) ? coerceParameters({ fields: field.properties ?? {} }, value) : value;
  }
  if (field.type === 'array') {
    const { items } = field;
    return Array.isArray(value) && items ? value.map((entry: unknown) => coerce(items, entry)) : value;
  }
  return coerceScalar(field, value);
}

function coerceScalar(field: Field, value: unknown): unknown {
  if (field.type === 'string') return toText(field, value);
  if (field.type === 'setting') return Number.isFinite(value) ? String(value) : value;
  if (field.type === 'boolean') return toBoolean(value);
  if (field.type === 'flag') return value === '0' || value === '1' ? Number(value) : toBoolean(value);
  if (field.type === 'binary') {
    return typeof value === 'string' && field.encoding ? Buffer.from(value, field.encoding) : value;
  }
  return field.type === 'any' ? value : toNumber(value);
}

/** The listed spelling of a name. */
function nameIn({ names }: Field, value: unknown): string | undefined {
  if (!names || typeof value !== 'string') return undefined;
  return names.find((name) => name.toLowerCase() === value.toLowerCase());
}

function toText({ format }: Field, value: unknown): unknown {
  const text = typeof value === 'boolean' || Number.isFinite(value) ? String(value) : value;
  return typeof text === 'string' && format ? normalized(format, text) : text;
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
