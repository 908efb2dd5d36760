/** The types of a field: JSON Schema (draft 2020-12) with a few additional keywords, as plain data. */

import type { Phrase } from './phrases';

/** A firmware version as written in the interface document, for example `5.7` or `5.3.4`. */
export type Firmware = `${number}.${number}` | `${number}.${number}.${number}`;

/**
 * The product classes that section 4 names by a word instead of model numbers. The models of each class are
 * in `product-classes.ts`.
 */
export type ProductClass =
  | 'speakers'
  | 'paging adapters'
  | 'intercoms'
  | 'visual alerters'
  | 'displays'
  | 'door controllers'
  | 'consoles';

/**
 * The products that support an operation or a field.
 * - `models` alone: these models.
 * - with `classes`: also the models of these classes.
 * - `except`: all models except these.
 * A model about which the interface document says nothing is accepted (see `includesModel`).
 */
export type Products =
  | 'all'
  | { readonly models?: readonly string[]; readonly classes?: readonly ProductClass[] }
  | { readonly except: readonly string[] };

export type Format =
  | 'seconds'
  | 'port'
  | 'decibel'
  | 'dtmf'
  | 'color'
  | 'hex-color'
  | 'date'
  | 'dates'
  | 'start-date'
  | 'time'
  | 'rrule'
  | 'method'
  | 'json'
  | 'target-path'
  | 'request-path'
  | 'setting-name'
  | 'file-path'
  | 'folder-path';

/**
 * The type of a field.
 * - `flag`: true, false, 0 or 1, sent as given.
 * - `setting`: a text; numbers become text. Booleans are rejected, since settings use 1 and 0.
 * - `binary`: a Buffer, or with an `encoding` also a text.
 * - `any`: any JSON value except null, or a Buffer.
 * - the other types as in JSON Schema.
 */
export type FieldType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'object'
  | 'array'
  | 'flag'
  | 'setting'
  | 'binary'
  | 'any';

export type SuggestionKind =
  | 'tone'
  | 'file'
  | 'image'
  | 'folder'
  | 'tag'
  | 'group'
  | 'event'
  | 'setting'
  | 'button'
  | 'number'
  | 'pattern'
  | 'lamp'
  | 'level';

/**
 * Conditions on parameters, keyed by parameter name: the accepted values, as text. An empty list accepts any
 * value except undefined.
 */
export type When = Readonly<Record<string, readonly string[]>>;

type Condition = Readonly<Record<string, unknown>>;

/**
 * A rule across the fields of an object: if `when` holds or is absent, `must` must hold. A subschema of
 * `must` can have `because`: the phrase with the reason in the error message, for example `groupGiven`. In
 * the phrase, `{name}` stands for the field `name`.
 */
export interface Rule {
  readonly when?: Condition;
  readonly must: Condition;
}

export interface Field {
  readonly type: FieldType;
  readonly title: string;
  readonly description: string;
  readonly enum?: readonly (string | number | boolean)[];
  /** Texts that the device accepts instead of a number; sent unchanged, case-sensitive. */
  readonly words?: readonly string[];
  /**
   * Names that a user can write instead of wire values; not case-sensitive. Coercion changes a name to the
   * spelling of this list. The node replaces the name with the value for the device's model
   * (`strobe-patterns.ts`).
   */
  readonly names?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: Format;
  /** The phrase that names the allowed values, if the type alone does not. */
  readonly limits?: Phrase;
  readonly encoding?: 'utf8';
  readonly examples?: readonly (string | number | boolean)[];
  readonly pick?: SuggestionKind;
  /** Initial value of a required checkbox in the dialog: the value with the smaller effect. */
  readonly initial?: boolean;
  /** Whether the dialog always shows this optional field, as the main field of the operation. */
  readonly foremost?: true;
  /**
   * For `object`: name of another field of the operation. Unless this other field is true, the device ignores
   * the object.
   */
  readonly with?: string;
  readonly unit?: 's' | 'dB';
  /** The first firmware that supports the field, if later than the first firmware of the operation. */
  readonly firmware?: Firmware;
  /** Products that supported the field before the other products, and their first firmware. */
  readonly earlier?: { readonly products: Products; readonly firmware: Firmware };
  /** The products that support the field, if fewer than the products of the operation. */
  readonly products?: Products;
  /**
   * The products that support a value, keyed by value. Contains only values that fewer products support than
   * the field.
   */
  readonly valueProducts?: Readonly<Record<string, Products>>;
  /**
   * The models for which a value or a name is meant, keyed by value or name. Other models do not support the
   * value or use another scale.
   */
  readonly valueModels?: Readonly<Record<string, readonly string[]>>;
  /** False for a field that the node uses itself and does not send. */
  readonly sent?: false;
  /**
   * Present if the device generates the field, unless `except` holds. In an existing record, which has the
   * field named by `id`, the field is dropped; in a new record, the field is rejected.
   */
  readonly generated?: { readonly id: string; readonly except?: When };
  readonly properties?: Fields;
  readonly required?: readonly string[];
  readonly exactlyOne?: readonly string[];
  readonly rules?: readonly Rule[];
  readonly items?: Field;
  readonly maxItems?: number;
  /** For `object`: whether the object is a record of the device (`open-records.ts`). */
  readonly isRecord?: true;
  /** For `object`: whether keys that `properties` does not list are allowed. Null is never allowed. */
  readonly isOpen?: true;
}

export type Fields = Readonly<Record<string, Field>>;
