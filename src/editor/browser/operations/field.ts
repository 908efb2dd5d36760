import type { Field, Rule } from '../../../catalogue/operation';

/** A field as the build wrote it into its row: what its check needs, and what the row shows besides. */
export interface RowField extends Partial<Omit<Field, 'required'>> {
  readonly required?: boolean;
  /** The type of Node-RED that a value is written in. */
  readonly literal?: 'str' | 'num' | 'bool';
  /** Whether an empty text is a value. */
  readonly empty?: boolean;
  /** Inside of an object: the row that has to be on for it to count. */
  readonly with?: string;
  readonly example?: string | number | boolean;
  /** The models that have the operation, where not all have each value. */
  readonly models?: readonly string[];
  /** Where the locale file has its words. */
  readonly key?: string | undefined;
  readonly isRow?: true;
  /** The operation has no such field. */
  readonly unknown?: true;
}

/** The field of parameters that a person names; `name` is what their names must look like. */
export interface OthersField extends RowField {
  readonly name: string;
  /** What there is to choose a name from. */
  readonly namePick?: RowField['pick'];
}

/** One entry of the select that says what an operation with variants is to do. */
export interface Choice {
  readonly id: string;
  /** The places of its rows. */
  readonly rows: readonly number[];
  /** The fields that must be given for it, whatever their value. */
  readonly needs: readonly string[];
  /** The fields that the choice itself sets. */
  readonly sets: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  /** Where the locale file has its words. */
  readonly title: string;
}
