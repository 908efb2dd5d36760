import { formats } from '../catalogue/formats';
import type { Field, Fields, Format, Operation, Shape, Variant } from '../catalogue/operation';

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
export function formFields({ fields, required }: Pick<Shape, 'fields' | 'required'>): FormField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.properties) return innerFields(name, field.properties);
    return [{ name, field, required: required.includes(name) }];
  });
}

function innerFields(parent: string, properties: Fields): FormField[] {
  return Object.entries(properties).map(([inner, field]) => ({
    name: `${parent}.${inner}`,
    field,
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

/** The part of a field's schema that the dialog checks, as JSON for the row. The runtime checks all of it. */
export function dialogSchema({ field, required }: Pick<FormField, 'field' | 'required'>): string {
  const { format, enum: values, names, words, minimum, maximum, minLength, maxLength, encoding } = field;
  const isNumber = format !== undefined && numberFormats.includes(format);
  // What is taken off before it is sent may be written; only the runtime takes it off.
  const isChecked = format !== undefined && !('normalize' in formats[format]);
  const accepts = isChecked ? formats[format].accepts : undefined;
  return JSON.stringify({
    type: isNumber ? 'integer' : field.type,
    required: required || undefined,
    enum: field.type === 'flag' ? ['true', 'false', '1', '0'] : values?.map(String),
    names,
    words,
    minimum,
    maximum,
    minLength,
    maxLength,
    pattern: accepts?.source,
    empty: accepts?.test('') || field.type === 'setting' || undefined,
    encoding,
    example: field.examples?.[0],
  });
}
