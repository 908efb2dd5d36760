import type { Field, Fields, Format, Operation, Products, Shape, Variant } from '../catalogue/operation';
import { takes } from './judge';

/** A row of a form: a field of an operation, or a field inside an object of an operation. */
export interface FormField {
  /** The key in the node's `form`: the wire name, or `object.name`. */
  readonly name: string;
  readonly field: Field;
  readonly required: boolean;
  /** The wire name of the object that the field is in. */
  readonly parent?: string;
  /** The first variant that has the row, if the operation has variants. */
  readonly variant?: string;
}

/** An entry of the select with which the user chooses a variant of an operation. */
export interface Choice {
  readonly variant: Variant;
  /**
   * The value that names the choice, if the variant has one choice for each value; otherwise the variant's
   * title names it.
   */
  readonly value?: string;
  /** The fields that the choice sets. */
  readonly sets: Readonly<Record<string, string>>;
  /** The fields that the choice requires, with any value. */
  readonly needs: readonly string[];
  /** The rows of the choice, as indexes of `Form.rows`. */
  readonly rows: readonly number[];
}

/** A form: all distinct rows of an operation, and the rows that each choice shows. */
export interface Form {
  readonly rows: readonly FormField[];
  readonly choices: readonly Choice[];
  /** The rows that show every field of an operation with variants. */
  readonly all: readonly number[];
}

/** Formats that are texts on the wire and numbers in a dialog. */
const numberFormats: readonly Format[] = ['seconds', 'port'];

/**
 * Returns the rows of an operation or a variant in the document's order, with the fields of an object in the
 * object's position.
 */
function formFields({ fields, required }: Pick<Shape, 'fields' | 'required'>): FormField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.properties) return innerFields(name, field.properties, field.with);
    const isRequired = required.includes(name);
    return isAsked(field, isRequired) ? [{ name, field, required: isRequired }] : [];
  });
}

/**
 * Whether a dialog has a row for a field. A field that is neither sent nor required has no effect there, but
 * a message can contain it.
 */
function isAsked({ sent }: Field, isRequired: boolean): boolean {
  return sent !== false || isRequired;
}

/** Returns the fields of an operation that a stored form can contain, but that have no row in a dialog. */
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

/** Returns the form of an operation. Variants that describe a field alike share its row. */
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
 * Returns the choices of a variant: one, or one for each value of the field that the variant's title names.
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

/** Returns the field that a variant's title names, for example `template` for `Template {template}`. */
export function placeholderOf(title: string): string | undefined {
  return /\{(\w+)\}/.exec(title)?.[1];
}

/**
 * Returns the schema of a field for the check in the dialog, with further data for the row:
 * - `literal`: the Node-RED type of a literal value
 * - `empty`: whether an empty text is a valid value
 * - `example`: an example of a value
 * - `models`: the models that support the operation, if some values are limited to some models
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

/** Returns a field without the properties that the check does not need. */
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
