import type { Field, Rule } from '../../../catalogue/operation';

/** The field of a row, as the build wrote it: the schema for its check, and further data for the row. */
export interface RowField extends Partial<Omit<Field, 'required'>> {
  readonly required?: boolean;
  /** The Node-RED type of a literal value. */
  readonly literal?: 'str' | 'num' | 'bool';
  /** Whether an empty text is a valid value. */
  readonly empty?: boolean;
  /** For a field inside an object: the field that must be on for this field to have an effect. */
  readonly with?: string;
  readonly example?: string | number | boolean;
  /** The models that support the operation, if some values are limited to some models. */
  readonly models?: readonly string[];
  /** The key of the field's words in the locale file. */
  readonly key?: string | undefined;
  readonly isRow?: true;
  /** Whether the operation has no such field. */
  readonly unknown?: true;
}

/** The field of parameters with free names; `name` is the pattern of valid names. */
export interface OthersField extends RowField {
  readonly name: string;
  readonly namePick?: RowField['pick'];
}

/** An entry of the select with which the user chooses a variant of an operation. */
export interface Choice {
  readonly id: string;
  /** The rows of the choice, as indexes. */
  readonly rows: readonly number[];
  /** The fields that the choice requires, with any value. */
  readonly needs: readonly string[];
  /** The fields that the choice sets. */
  readonly sets: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  /** The key of the title in the locale file. */
  readonly title: string;
}
