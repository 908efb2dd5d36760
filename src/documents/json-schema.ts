import { colorNames } from '../catalogue/color-names';
import { formats } from '../catalogue/formats';
import type { Field, Format, Shape } from '../catalogue/operation';
import { objectSchema, type Schema } from '../catalogue/schema';
import { extensions } from './extensions';
import { numberOnWire, textsOnWire } from './wire-words';

/** Places of a JSON Schema that hold one schema, many by name, or a list of them. */
const single = ['items', 'if', 'then', 'else', 'not', 'additionalProperties', 'propertyNames'];
const named = ['properties'];
const listed = ['allOf', 'anyOf', 'oneOf'];

/** Bytes as they are. OpenAPI 3.1 needs no word for that, but generators look for the one of 3.0. */
export const binary: Schema = { type: 'string', format: 'binary' };

/**
 * The JSON Schema of what is sent, without the words that only our own validator knows. Names for numbers are
 * left out, in the examples too: the runtime puts the model's numbers in their place.
 * @param inBody whether a field goes into the body
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

/** The JSON Schema of one field, as it is sent. */
export function fieldSchema(field: Field): Schema {
  const schema = bodySchema({ fields: { field }, required: [] }, () => true);
  return (schema.properties as Record<string, Schema>).field ?? {};
}

/** What a pattern can say of formats that are checked by code. */
const patterns: Readonly<Partial<Record<Format, RegExp>>> = {
  rrule:
    /^(?:(?:(?:INTERVAL|COUNT|UNTIL|BYDAY)=[^\s;=]+;)*FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)(?:;(?:INTERVAL|COUNT|UNTIL|BYDAY)=[^\s;=]+)*)?$/,
  json: /^(?:\s*(?:\{[\s\S]*\}|\[[\s\S]*\]|"[\s\S]*"|-?\d[\d.eE+-]*|true|false|null)\s*)?$/,
};

/** 4.8.1, in one place: its names are many. */
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

/** A schema in words that everybody knows. */
function plain(schema: Schema): Schema {
  const known = Object.entries(schema).flatMap(([key, value]) => plainEntry(key, value));
  return withProperties(Object.fromEntries(known));
}

/** Names a required property among the properties too, which says nothing new but is what linters look for. */
function withProperties(schema: Schema): Schema {
  const { required = [], properties = {} } = schema as { required?: string[]; properties?: Schema };
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  if (missing.length === 0) return schema;
  return {
    ...schema,
    properties: { ...Object.fromEntries(missing.map((name) => [name, {}])), ...properties },
  };
}

function plainEntry(key: string, value: unknown): [string, unknown][] {
  if (key === 'because') return [];
  if (key === 'binary') return Object.entries(binary);
  if (key === 'format' && value === 'color') return [['$ref', '#/components/schemas/Color']];
  if (key === 'format')
    return [['pattern', (patterns[value as Format] ?? formats[value as Format].accepts).source]];
  if (key === 'exactlyOne')
    return [['oneOf', (value as string[]).map((name) => plain({ required: [name] }))]];
  if (listed.includes(key)) return [[key, (value as Schema[]).map(plain)]];
  if (named.includes(key)) {
    const schemas = Object.entries(value as Record<string, Schema>);
    return [[key, Object.fromEntries(schemas.map(([name, schema]) => [name, plain(schema)]))]];
  }
  if (single.includes(key) && typeof value === 'object') return [[key, plain(value as Schema)]];
  return [[key, value]];
}
