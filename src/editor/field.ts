import { formats } from '../catalogue/formats';
import type { Field, Fields, Format, Operation } from '../catalogue/operation';

/** One row of a form: a field of an operation, or a field inside one of its objects. */
export interface FormField {
  /** The key in the node's `form`: the wire name, or `object.name`. */
  readonly name: string;
  readonly field: Field;
  readonly required: boolean;
  /** The wire name of the object that the field is in. */
  readonly parent?: string;
}

/** Texts on the wire that a dialog asks for as numbers. */
const numberFormats: readonly Format[] = ['seconds', 'port'];

/** The rows of an operation in the document's order, the fields of its objects in their places. */
export function formFields({ fields, required }: Pick<Operation, 'fields' | 'required'>): FormField[] {
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

/** The part of a field's schema that the dialog checks, as JSON for the row. The runtime checks all of it. */
export function dialogSchema({ field, required }: FormField): string {
  const { format, enum: values, minimum, maximum, minLength, maxLength } = field;
  const isNumber = format !== undefined && numberFormats.includes(format);
  return JSON.stringify({
    type: isNumber ? 'integer' : field.type,
    required: required || undefined,
    enum: values,
    minimum,
    maximum,
    minLength,
    maxLength,
    pattern: format && formats[format].accepts.source,
  });
}
