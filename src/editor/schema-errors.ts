import { isAcceptable } from '../catalogue/formats';
import type { Format } from '../catalogue/operation';
import type { Schema } from '../catalogue/schema';
import type { SchemaError } from '../catalogue/sentences';

class Unknown {
  toString(): string {
    return '…';
  }
}

/** In the place of a value that is there, but which only a message or the environment will tell. */
export const unknown: object = Object.freeze(new Unknown());

/**
 * What becomes of a check: the errors that are certain, whatever the unknown values turn out to be, and whether
 * there might be more.
 */
interface Verdict {
  readonly errors: readonly SchemaError[];
  readonly isOpen: boolean;
}

/** A value in its place, with the schema that it is held against. */
interface Place {
  readonly data: unknown;
  readonly path: string;
  readonly schema: Schema;
}

type Keyword = (value: unknown, place: Place) => Verdict;

const good: Verdict = { errors: [], isOpen: false };
const open: Verdict = { errors: [], isOpen: true };

/**
 * What JSON Schema says against a value, in ajv's words: that validator makes functions of text, which a page
 * may forbid, and cannot do with values that are not known yet. It knows the keywords that the catalogue's
 * schemas use; a test holds it against ajv.
 */
export function schemaErrors(schema: Schema, data: unknown): readonly SchemaError[] {
  return check({ schema, data, path: '' }).errors;
}

function check(place: Place): Verdict {
  return all(
    Object.entries(place.schema).map(([name, value]) => {
      const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
      return keyword ? keyword(value, place) : good;
    }),
  );
}

function all(verdicts: readonly Verdict[]): Verdict {
  const isOpen = verdicts.some((verdict) => verdict.isOpen);
  return { errors: verdicts.flatMap(({ errors }) => errors), isOpen };
}

function within(place: Place, schema: unknown, data: unknown = place.data, name?: string): Verdict {
  const path =
    name === undefined ? place.path : `${place.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return check({ schema: schema as Schema, data, path });
}

function bad(keyword: string, { data, path, schema }: Place, params: SchemaError['params'] = {}): Verdict {
  const error = { keyword, instancePath: path, params, schema: schema[keyword], parentSchema: schema, data };
  return { errors: [error], isOpen: false };
}

/** A keyword that looks at the value alone, and at no unknown one. */
function plain(keyword: string, holds: (value: never, data: never) => boolean, params = {}): Keyword {
  return (value, place) => {
    if (place.data === unknown) return open;
    return holds(value as never, place.data as never) ? good : bad(keyword, place, params);
  };
}

const isRecord = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && !Buffer.isBuffer(data);

const types: Readonly<Record<string, (data: unknown) => boolean>> = {
  string: (data) => typeof data === 'string',
  number: (data) => typeof data === 'number' && Number.isFinite(data),
  integer: (data) => Number.isInteger(data),
  boolean: (data) => typeof data === 'boolean',
  null: (data) => data === null,
  array: (data) => Array.isArray(data),
  object: isRecord,
};

/** JSON Schema counts characters as people do. */
const lengthOf = (text: string): number => [...text].length;

const keywords: Readonly<Record<string, Keyword>> = {
  type: plain('type', (type: string, data: unknown) => types[type]?.(data) ?? false),
  enum: (values, place) =>
    plain('enum', (list: unknown[], data: unknown) => list.includes(data), { allowedValues: values })(
      values,
      place,
    ),
  minimum: plain('minimum', (least: number, data) => typeof data !== 'number' || data >= least),
  maximum: plain('maximum', (most: number, data) => typeof data !== 'number' || data <= most),
  minLength: plain('minLength', (least: number, data) => typeof data !== 'string' || lengthOf(data) >= least),
  maxLength: plain('maxLength', (most: number, data) => typeof data !== 'string' || lengthOf(data) <= most),
  maxItems: plain('maxItems', (most: number, data: unknown) => !Array.isArray(data) || data.length <= most),
  format: plain('format', (name: Format, data) => typeof data !== 'string' || isAcceptable(name, data)),
  binary: plain('binary', (_: true, data: unknown) => Buffer.isBuffer(data)),
  exactlyOne: plain('exactlyOne', (names: readonly string[], data: unknown) => {
    return !isRecord(data) || names.filter((name) => Object.hasOwn(data, name)).length === 1;
  }),
  required(names, place) {
    const { data } = place;
    if (data === unknown) return open;
    const missing = (names as string[]).filter((name) => isRecord(data) && !Object.hasOwn(data, name));
    return all(missing.map((missingProperty) => bad('required', place, { missingProperty })));
  },
  properties(schemas, place) {
    const { data } = place;
    if (!isRecord(data)) return data === unknown ? open : good;
    const given = Object.entries(schemas as Schema).filter(([name]) => Object.hasOwn(data, name));
    return all(given.map(([name, schema]) => within(place, schema, data[name], name)));
  },
  additionalProperties(schema, place) {
    const { data } = place;
    if (!isRecord(data)) return data === unknown ? open : good;
    const known = Object.keys((place.schema.properties ?? {}) as Schema);
    const others = Object.keys(data).filter((name) => !known.includes(name));
    if (schema !== false) return all(others.map((name) => within(place, schema, data[name], name)));
    return all(others.map((name) => bad('additionalProperties', place, { additionalProperty: name })));
  },
  propertyNames(schema, place) {
    const { data } = place;
    if (!isRecord(data)) return data === unknown ? open : good;
    const wrong = Object.keys(data).filter((name) => within(place, schema, name).errors.length > 0);
    return all(wrong.map((propertyName) => bad('propertyNames', place, { propertyName })));
  },
  items(schema, place) {
    const { data } = place;
    if (!Array.isArray(data)) return data === unknown ? open : good;
    return all(data.map((entry: unknown, index) => within(place, schema, entry, String(index))));
  },
  allOf: (schemas, place) => all((schemas as Schema[]).map((schema) => within(place, schema))),
  anyOf(schemas, place) {
    const verdicts = (schemas as Schema[]).map((schema) => within(place, schema));
    if (verdicts.some(isGood)) return good;
    if (verdicts.some(({ errors }) => errors.length === 0)) return open;
    return all([...verdicts, bad('anyOf', place)]);
  },
  not(schema, place) {
    const verdict = within(place, schema);
    if (isGood(verdict)) return bad('not', place);
    return verdict.errors.length === 0 ? open : good;
  },
  if(condition, place) {
    const { then: onGood, else: onBad } = place.schema;
    const verdict = within(place, condition);
    const next = isGood(verdict) ? onGood : onBad;
    if (verdict.errors.length === 0 && verdict.isOpen) return open;
    return next === undefined ? good : within(place, next);
  },
};

function isGood({ errors, isOpen }: Verdict): boolean {
  return errors.length === 0 && !isOpen;
}
