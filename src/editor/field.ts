import type { Field, Fields, Format, Operation, Products, Shape, Variant } from '../catalogue/operation';
import { takes } from './judge';

/** A row of a form: a field of an operation, or an inner field of a field that is an object. */
export interface FormField {
  /** Key in the node's `form`: the wire name, or `object.name` for an inner field. */
  readonly name: string;
  readonly field: Field;
  readonly required: boolean;
  readonly parent?: string;
  /**
   * Id of the first variant that has the row; `all` for a row that only the form with all fields has;
   * absent if the operation has no variants.
   */
  readonly variant?: string;
}

export interface Choice {
  readonly variant: Variant;
  /**
   * Value that names the option if its variant has several options; undefined if the variant's title names
   * the option.
   */
  readonly value?: string;
  readonly sets: Readonly<Record<string, string>>;
  /** Names of fields that must have a value for this option. Any value is enough. */
  readonly needs: readonly string[];
  readonly rows: readonly number[];
}

export interface Form {
  readonly rows: readonly FormField[];
  readonly choices: readonly Choice[];
  /**
   * Indexes in `rows` for the form that shows every field, independent of a variant; empty if the operation
   * has no variants.
   */
  readonly all: readonly number[];
}

/** Formats of texts that a dialog edits as numbers. */
const numberFormats: readonly Format[] = ['seconds', 'port'];

function formFields({ fields, required }: Pick<Shape, 'fields' | 'required'>): FormField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.properties) return innerFields(name, field.properties, field.with);
    const isRequired = required.includes(name);
    return isAsked(field, isRequired) ? [{ name, field, required: isRequired }] : [];
  });
}

/** An optional field that is never sent has no row, since the row would have no effect. */
function isAsked({ sent }: Field, isRequired: boolean): boolean {
  return sent !== false || isRequired;
}

/** Returns the fields of an operation that a stored form can contain, but for which a dialog has no row. */
export function unaskedFields({ fields, required }: Pick<Shape, 'fields' | 'required'>): Fields {
  const unasked = Object.entries(fields).filter(([name, field]) => !isAsked(field, required.includes(name)));
  return Object.fromEntries(unasked);
}

function innerFields(parent: string, properties: Fields, partner?: string): FormField[] {
  return Object.entries(properties).map(([inner, field]) => ({
    name: `${parent}.${inner}`,
    field: partner === undefined ? field : { ...field, with: partner },
    required: false,
    parent,
  }));
}

/**
 * Returns the form of an operation. Variants share the row of a field if the field is the same in these
 * variants, and is required in all of them or in none.
 */
export function formOf(operation: Operation): Form {
  const { variants } = operation;
  if (!variants) return { rows: formFields(operation), choices: [], all: [] };
  const rows: FormField[] = [];
  const places = new Map<string, number>();
  const place = (row: FormField): number => {
    const identity = JSON.stringify([row.name, row.field, row.required]);
    const known = places.get(identity) ?? rows.push(row) - 1;
    places.set(identity, known);
    return known;
  };
  const choices = variants.flatMap((variant) => {
    const shown = formFields(variant).filter(({ name }) => !variant.when[name]?.length);
    const own = shown.map((row) => place({ ...row, variant: variant.id }));
    return choicesOf(variant).map((choice): Choice => ({ ...choice, rows: own }));
  });
  return { rows, choices, all: formFields(operation).map((row) => place({ ...row, variant: 'all' })) };
}

/**
 * Returns the options of a variant. If the title has a `{placeholder}` for a field, each value of this field
 * has an option; otherwise the variant has one option.
 */
function choicesOf(variant: Variant): Omit<Choice, 'rows'>[] {
  const { title, when } = variant;
  const named = placeholderOf(title);
  const needs = Object.keys(when).filter((name) => when[name]?.length === 0);
  const sets = Object.fromEntries(
    Object.entries(when).flatMap(([name, [value]]) => (value === undefined ? [] : [[name, value]])),
  );
  if (named === undefined) return [{ variant, sets, needs }];
  const values = when[named] ?? [];
  return values.map((value) => ({ variant, value, sets: { ...sets, [named]: value }, needs }));
}

/**
 * Returns the name of the field in a variant's title, such as `template` in `Template {template}`; undefined
 * if the title contains no name.
 */
export function placeholderOf(title: string): string | undefined {
  return /\{(\w+)\}/.exec(title)?.[1];
}

/**
 * Returns the data of a row, as JSON in the page: the schema of the field for the checks in the dialog, and:
 * - `literal`: Node-RED's type of a literal value
 * - `pick`, `valueModels`: as in the field
 * - `required`: set if the operation requires the field
 * - `empty`: set if an empty text is a valid value
 * - `example`: one example of a value
 * - `models`: the models that support the operation, set if `valueModels` is set
 */
export function rowSchema(
  { field, required }: Pick<FormField, 'field' | 'required'>,
  products: Products = 'all',
): object {
  const literal = literalOf(field);
  const { valueModels, pick } = field;
  return {
    ...checkable(field),
    pick,
    literal,
    ...(valueModels && { valueModels, models: modelsOf(products) }),
    required: required || undefined,
    empty: (literal === 'str' && takes(field, '')) || undefined,
    example: field.examples?.[0],
  };
}

function modelsOf(products: Products): readonly string[] {
  return typeof products === 'object' && 'models' in products ? (products.models ?? []) : [];
}

function literalOf({ type, format }: Field): 'num' | 'bool' | 'str' {
  if (type === 'boolean') return 'bool';
  const isNumber = type === 'integer' || type === 'number';
  return isNumber || (format && numberFormats.includes(format)) ? 'num' : 'str';
}

function checkable(field: Field): object {
  const {
    title,
    description,
    examples,
    firmware,
    earlier,
    products,
    valueProducts,
    valueModels,
    pick,
    ...schema
  } = field;
  const { items, properties } = schema;
  const inner = Object.entries(properties ?? {}).map(([name, one]) => [name, checkable(one)]);
  return {
    ...schema,
    ...(items && { items: checkable(items) }),
    ...(properties && { properties: Object.fromEntries(inner) }),
  };
}
