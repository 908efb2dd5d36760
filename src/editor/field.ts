import type { Field, Fields, Format, Operation, Products, Shape, Variant } from '../catalogue/operation';
import { takes } from './judge';

/** One row of a form: a field of an operation, or a field inside one of its objects. */
export interface FormField {
  /** The key in the node's `form`: the wire name, or `object.name`. */
  readonly name: string;
  readonly field: Field;
  readonly required: boolean;
  /** The wire name of the object that the field is in. */
  readonly parent?: string;
  /** The first variant whose row it is, where the operation has variants. */
  readonly variant?: string;
}

/** One entry of the select that says what an operation with variants is to do. */
export interface Choice {
  readonly variant: Variant;
  /** The value that is the choice's name, where a variant stands for several; else it has a title. */
  readonly value?: string;
  /** The fields that the choice itself sets. */
  readonly sets: Readonly<Record<string, string>>;
  /** The fields that must be given for it, whatever their value. */
  readonly needs: readonly string[];
  /** Its rows, as places in the form's `rows`. */
  readonly rows: readonly number[];
}

/** All rows of an operation, each distinct one once, and which of them the choices show. */
export interface Form {
  readonly rows: readonly FormField[];
  readonly choices: readonly Choice[];
  /** The rows that show every field of an operation with variants. */
  readonly all: readonly number[];
}

/** Texts on the wire that a dialog asks for as numbers. */
const numberFormats: readonly Format[] = ['seconds', 'port'];

/** The rows of an operation or a variant in the document's order, the fields of its objects in their places. */
function formFields({ fields, required }: Pick<Shape, 'fields' | 'required'>): FormField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.properties) return innerFields(name, field.properties, field.with);
    const isRequired = required.includes(name);
    return isAsked(field, isRequired) ? [{ name, field, required: isRequired }] : [];
  });
}

/** What is neither sent nor demanded of a person does nothing in a dialog; a message may still bring it. */
function isAsked({ sent }: Field, isRequired: boolean): boolean {
  return sent !== false || isRequired;
}

/** The fields of an operation that a stored form may hold, but that no dialog asks for. */
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

/** The form of an operation. Variants that describe a field alike share its row. */
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

/** A variant is one choice, or where its title names a field, one for each value of that field. */
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

/** The field that a variant's title names, for example `template` of `Template {template}`. */
export function placeholderOf(title: string): string | undefined {
  return /\{(\w+)\}/.exec(title)?.[1];
}

/**
 * A field for the dialog's own check, and what the row needs besides: `literal`, the type of
 * Node-RED that a value is written in; `empty`, whether an empty text is one; an `example`; and for
 * values that not all models have, the `models` that have the operation.
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

/** A field without what its check does not need. */
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
