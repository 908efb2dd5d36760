import type { Field, Rule } from '../../../catalogue/operation';

/** The field of a row, as written into the page by the build (`rowSchema` in `src/editor/field.ts`). */
export interface RowField extends Partial<Omit<Field, 'required'>> {
  readonly required?: boolean;
  readonly literal?: 'str' | 'num' | 'bool';
  /** Whether an empty text is a valid value. */
  readonly empty?: boolean;
  /**
   * Name of another field of the operation. This field has an effect only if the other field is set, and not
   * to false.
   */
  readonly with?: string;
  readonly example?: string | number | boolean;
  /** Models that support the operation. Set only if some models do not support all values. */
  readonly models?: readonly string[];
  /** Locale key of the field's words. */
  readonly key?: string | undefined;
  readonly isRow?: true;
  /** Set if the operation has no field with this name. */
  readonly unknown?: true;
}

/** The field for parameters whose names the user chooses; `name` is a pattern for the names. */
export interface OthersField extends RowField {
  readonly name: string;
  readonly namePick?: RowField['pick'];
}

export interface Choice {
  readonly id: string;
  readonly rows: readonly number[];
  /** Names of fields that must have a value for this option. Any value is enough. */
  readonly needs: readonly string[];
  readonly sets: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  readonly title: string;
}
