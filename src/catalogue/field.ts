/** The shape of a field: JSON Schema (draft 2020-12) with a few words of our own, as plain data. */

import type { Phrase } from './phrases';

/** A firmware version as the document writes it, for example `5.7` or `5.3.4`. */
export type Firmware = `${number}.${number}` | `${number}.${number}.${number}`;

/** The families that section 4 names by a word instead of by numbers. `products.ts` says who belongs. */
export type ProductClass =
  | 'speakers'
  | 'paging adapters'
  | 'intercoms'
  | 'visual alerters'
  | 'displays'
  | 'door controllers'
  | 'consoles';

/**
 * Which products have an operation or a field.
 * - `models` alone: exactly these numbers.
 * - with `classes`: those too; a model that no class of `products.ts` knows is let through.
 * - `except`: all but these.
 */
export type Products =
  | 'all'
  | { readonly models?: readonly string[]; readonly classes?: readonly ProductClass[] }
  | { readonly except: readonly string[] };

/** Formats that `formats.ts` checks and describes. */
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
 * - `setting`: a text; numbers are written as text, booleans are refused, since settings write them as 1 and 0.
 * - `binary`: a Buffer, or with an `encoding` also a text.
 * - `any`: whatever JSON can hold, or a Buffer; null is refused.
 * - the others as in JSON Schema.
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

/** What a dialog can offer: from the device, or from what all devices have. */
export type Offered =
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

/** Conditions on the fields given: for each name the values that hold, an empty list for any value. */
export type When = Readonly<Record<string, readonly string[]>>;

/** JSON Schema of an object, in a rule. */
type Condition = Readonly<Record<string, unknown>>;

/**
 * A rule across the fields of an object: where `when` holds (always, without it), `must` has to hold too.
 * `because`, in any subschema of `must`, is the phrase that ends the sentence that a broken rule becomes, for example
 * `groupGiven`; `{name}` in it stands for the place of the object's field of that name.
 */
export interface Rule {
  readonly when?: Condition;
  readonly must: Condition;
}

/** One field of a request: JSON Schema, plus what the dialog, the help and the model checks need. */
export interface Field {
  readonly type: FieldType;
  /** The label in the dialog. */
  readonly title: string;
  /** One or two sentences of help, in plain words. */
  readonly description: string;
  readonly enum?: readonly (string | number | boolean)[];
  /** Texts that the wire takes in a number's place, sent as they are; capitals matter. */
  readonly words?: readonly string[];
  /**
   * Names that people may write for values of the wire; capitals do not matter. They leave the check in this
   * spelling: which value one means depends on the device's model (`strobe-patterns.ts`).
   */
  readonly names?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: Format;
  /** The phrase that says what it may be, where its type says less than is read of it later. */
  readonly limits?: Phrase;
  /** For `binary`: a text is taken too, and becomes a Buffer by it. */
  readonly encoding?: 'utf8';
  readonly examples?: readonly (string | number | boolean)[];
  /** What a device can tell of it, for a dialog to choose from. */
  readonly pick?: Offered;
  /** What a dialog begins with, of a switch that has to be given: what does less. */
  readonly initial?: boolean;
  /** Stands in a dialog at once, though it may be left empty: it is what the operation is about. */
  readonly foremost?: true;
  /** For `object`: counts only where the operation's field of this name is true. */
  readonly with?: string;
  /** `s` seconds, `dB` decibels. */
  readonly unit?: 's' | 'dB';
  /** The first firmware that knows the field, where it is later than the operation's own. */
  readonly firmware?: Firmware;
  /** Products that knew the field before the others did, and since when. */
  readonly earlier?: { readonly products: Products; readonly firmware: Firmware };
  /** The products that know the field, where they are fewer than the operation's own. */
  readonly products?: Products;
  /** The products that know a value, where they are fewer than the field's own. */
  readonly valueProducts?: Readonly<Record<string, Products>>;
  /** The models that a value or a name is meant for, where the others have it not, or in another scale. */
  readonly valueModels?: Readonly<Record<string, readonly string[]>>;
  /** False: asked of the person, never sent. */
  readonly sent?: false;
  /**
   * The device works it out: taken off a record that has an `id`, as an answer of the device does, and refused
   * on a new one. Not so where `except` holds.
   */
  readonly generated?: { readonly id: string; readonly except?: When };
  /** For `object`: the fields inside. */
  readonly properties?: Fields;
  /** For `object`: those that must be there. */
  readonly required?: readonly string[];
  /** For `object`: of these there must be one, and no second. */
  readonly exactlyOne?: readonly string[];
  /** For `object`: rules across the fields inside. */
  readonly rules?: readonly Rule[];
  /** For `array`: what its entries are. */
  readonly items?: Field;
  readonly maxItems?: number;
  /** For `object`: the property that identifies a record which the device already has. */
  readonly identifiedBy?: string;
}

export type Fields = Readonly<Record<string, Field>>;
