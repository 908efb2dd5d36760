/**
 * The shape of a catalogue entry. An operation is plain data: no functions, no builders, no flag that only
 * one entry sets. Fields are JSON Schema (draft 2020-12) with a few words of our own, so an established
 * validator checks them and other tools can read them.
 */

/** A firmware version as the document writes it, for example `5.7` or `5.3.4`. */
export type Firmware = `${number}.${number}` | `${number}.${number}.${number}`;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Method and path as one string, as section 4 writes it; `{name}` stands for the field of that name. */
export type Route = `${Method} /${string}`;

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

/** Formats that `validate.ts` checks and knows how to describe. */
export type Format = 'seconds' | 'port';

/** One field of a request: JSON Schema, plus what the dialog, the help and the model checks need. */
export interface Field {
  /** The type on the wire. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object';
  /** The label in the dialog. */
  readonly title: string;
  /** One or two sentences of help, in plain words. */
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: Format;
  readonly examples?: readonly (string | number | boolean)[];
  /** `s` seconds, `dB` decibels. */
  readonly unit?: 's' | 'dB';
  /** The first firmware that knows the field, where it is later than the operation's own. */
  readonly firmware?: Firmware;
  /** Products that knew the field before the others did, and since when. */
  readonly earlier?: { readonly products: Products; readonly firmware: Firmware };
  /** The products that know the field, where they are fewer than the operation's own. */
  readonly products?: Products;
  /** For `object`: the fields inside (the document nests one level, in `state`). */
  readonly properties?: Fields;
  /** JSON Schema: this field may only come together with others. */
  readonly dependentSchemas?: Readonly<Record<string, object>>;
}

export type Fields = Readonly<Record<string, Field>>;

/** What the device's answer is. `none`: the document shows no content, or does not show it. */
export type AnswerKind = 'none' | 'json' | 'text' | 'file';

/** One operation of section 4. */
export interface Operation {
  /** The id in `msg.operation`, the dialog and the receipt: a verb. */
  readonly id: string;
  /** The label in the dialog. */
  readonly title: string;
  /** One or two sentences of help, in plain words. */
  readonly description: string;
  /** The section of the interface document. */
  readonly section: string;
  readonly route: Route;
  readonly firmware: Firmware;
  readonly products: Products;
  /** May be sent again when it is not known whether it was done. */
  readonly repeatable: boolean;
  /** Never waits: not behind another request, and not for the device's model and firmware. */
  readonly urgent: boolean;
  readonly answer: AnswerKind;
  readonly fields: Fields;
  readonly required: readonly string[];
}

/** The operations of one node. `noun` names the node, its icon, its catalogue file and its example. */
export interface OperationGroup {
  readonly noun: string;
  readonly operations: readonly Operation[];
}
