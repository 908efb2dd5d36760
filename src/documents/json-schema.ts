import { colorNames } from '../catalogue/color-names';
import { formats } from '../catalogue/formats';
import type { Field, Format, Shape } from '../catalogue/operation';
import { objectSchema, type Schema } from '../catalogue/schema';
import { extensions } from './extensions';
import { numberOnWire, textsOnWire } from './wire-words';

/**
 * Schema of raw bytes. OpenAPI 3.1 needs no `format` here, but generators still expect the `format` of
 * OpenAPI 3.0.
 */
export const binary: Schema = { type: 'string', format: 'binary' };

/**
 * Returns the JSON Schema of a request body, without the keywords that only this package knows. A field that
 * accepts names instead of numbers has only numbers here, since a node replaces each name with the number
 * that the name has on the model of the device.
 * @param inBody whether a field is part of the body
 */
export function bodySchema(shape: Shape, inBody: (name: string, field: Field) => boolean): Schema {
  const entries = Object.entries(shape.fields).filter(([name, field]) => inBody(name, field));
  const fields = Object.fromEntries(entries.map(([name, field]) => [name, asSent(name, field)]));
  const required = shape.required.filter((name) => name in fields);
  const schema = plain(objectSchema({ ...shape, fields, required }));
  const properties = Object.fromEntries(
    Object.entries(schema.properties as Record<string, Schema>).map(([name, property]) => [
      name,
      { ...property, ...extensions(fields[name] ?? {}) },
    ]),
  );
  return { ...schema, properties, ...(shape.atLeast && { minProperties: shape.atLeast }) };
}

export function fieldSchema(field: Field): Schema {
  const schema = bodySchema({ fields: { field }, required: [] }, () => true);
  return (schema.properties as Record<string, Schema>).field ?? {};
}

/** Patterns for formats that the runtime checks only with code, which a JSON Schema cannot contain. */
const patterns: Readonly<Partial<Record<Format, RegExp>>> = {
  rrule:
    /^(?:(?:(?:INTERVAL|COUNT|UNTIL|BYDAY)=[^\s;=]+;)*FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)(?:;(?:INTERVAL|COUNT|UNTIL|BYDAY)=[^\s;=]+)*)?$/,
  json: /^(?:\s*(?:\{[\s\S]*\}|\[[\s\S]*\]|"[\s\S]*"|-?\d[\d.eE+-]*|true|false|null)\s*)?$/,
};

/** Schema of a color (4.8.1). Fields refer to this schema, because the list of names is long. */
export const color: Schema = {
  type: 'string',
  anyOf: [{ enum: [...colorNames] }, { pattern: formats['hex-color'].accepts.source }],
};

function asSent(name: string, { names, ...field }: Field): Field {
  if (!names) return { ...field, ...textsOnWire(name) };
  const { examples = [], ...rest } = field;
  const numbers = examples.filter((example) => !names.includes(String(example)));
  const description = numberOnWire(name, field.description);
  return { ...rest, description, ...(numbers.length > 0 && { examples: numbers }) };
}

/** Replaces the keywords that only this package knows, at all depths. */
function plain<T>(value: T): T;
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return withProperties(Object.fromEntries(Object.entries(value).flatMap(plainEntry)));
}

/**
 * Linters expect each required property in `properties`. An added `{}` does not change the accepted values.
 */
function withProperties(schema: Schema): Schema {
  const { required = [], properties = {} } = schema as { required?: string[]; properties?: Schema };
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  if (missing.length === 0) return schema;
  return {
    ...schema,
    properties: { ...Object.fromEntries(missing.map((name) => [name, {}])), ...properties },
  };
}

function plainEntry([key, value]: [string, unknown]): [string, unknown][] {
  if (key === 'because') return [];
  if (key === 'binary') return Object.entries(binary);
  if (key === 'format' && value === 'color') return [['$ref', '#/components/schemas/Color']];
  if (key === 'format')
    return [['pattern', (patterns[value as Format] ?? formats[value as Format].accepts).source]];
  if (key === 'exactlyOne')
    return [['oneOf', (value as string[]).map((name) => plain({ required: [name] }))]];
  // The keys of `properties` are names, not keywords.
  if (key === 'properties') return [[key, mapValues(value as Record<string, Schema>, plain)]];
  return [[key, plain(value)]];
}

export function mapValues<T, R>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
