import type { Field, Fields, Rule, Shape, When } from './operation';
import type { Phrase } from './phrases';

/**
 * A JSON Schema (draft 2020-12) with three additional keywords: `exactlyOne`, `binary` and `because` (see
 * `field.ts`).
 */
export type Schema = Readonly<Record<string, unknown>>;

const types: Readonly<Partial<Record<Field['type'], Schema>>> = {
  flag: { enum: [true, false, 0, 1] },
  setting: { type: 'string' },
  binary: { binary: true },
  any: { not: { type: 'null' } },
};

const notNull = { not: { type: 'null' }, because: 'asNull' satisfies Phrase };

export function schemaOf(field: Field): Schema {
  const texts = [...(field.words ?? []), ...(field.names ?? [])];
  const { title, description, examples, unit } = field;
  const about = {
    title,
    description: unit ? `${description} (${unit})` : description,
    ...(examples && { examples }),
  };
  return { ...about, ...(texts.length === 0 ? plain(field) : { anyOf: [plain(field), { enum: texts }] }) };
}

function plain(field: Field): Schema {
  if (field.type === 'object') return recordSchema(field);
  const { enum: values, minimum, maximum, minLength, maxLength, format, maxItems, items } = field;
  const limits = { enum: values, minimum, maximum, minLength, maxLength, format, maxItems };
  return {
    ...(types[field.type] ?? { type: field.type }),
    ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)),
    ...(items && { items: schemaOf(items) }),
  };
}

function recordSchema({ properties = {}, required = [], rules = [], exactlyOne, isOpen }: Field): Schema {
  return {
    ...objectSchema({ fields: properties, required, rules }),
    ...(exactlyOne && { exactlyOne }),
    ...(isOpen && { additionalProperties: notNull }),
  };
}

/**
 * Returns the JSON Schema of the parameters of an operation or of one of its variants. Without `others`, the
 * schema allows only the parameters in `fields`.
 */
export function objectSchema({ fields, required, rules = [], others }: Shape): Schema {
  const allOf = [...rules.map(ruleSchema), ...refusals(fields)];
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    required,
    ...(allOf.length > 0 && { allOf }),
    ...(others && { propertyNames: { format: others.name } }),
    additionalProperties: others ? schemaOf(others.value) : false,
  };
}

/** The schema is built from entries, since an object literal with a `then` looks like a promise. */
function ruleSchema({ when, must }: Rule): Schema {
  return when
    ? Object.fromEntries([
        ['if', when],
        ['then', must],
      ])
    : must;
}

/**
 * Returns the schemas that reject generated fields in a new record. In an existing record, coercion has
 * already dropped these fields.
 */
function refusals(fields: Fields): Schema[] {
  return Object.entries(fields).flatMap(([name, { generated }]) => {
    if (!generated) return [];
    const refusal = {
      properties: { [name]: { not: {}, because: 'generated' satisfies Phrase } },
    };
    return [generated.except ? { if: whenSchema(generated.except), else: refusal } : refusal];
  });
}

function whenSchema(when: When): Schema {
  const conditions = Object.entries(when).map(([name, values]) => [
    name,
    values.length > 0 ? { enum: values } : {},
  ]);
  return { required: Object.keys(when), properties: Object.fromEntries(conditions) };
}
