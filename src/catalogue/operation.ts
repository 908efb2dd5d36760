/**
 * The shape of a catalogue entry. An operation is plain data: no functions, no builders, no flag that only
 * one entry sets. Fields are JSON Schema (draft 2020-12) with a few words of our own, which `schema.ts` puts
 * into JSON Schema, so an established validator checks them and other tools can read them.
 */

import type { Confirmation, End } from './effect';

export type { Confirmation, End };

/** A firmware version as the document writes it, for example `5.7` or `5.3.4`. */
export type Firmware = `${number}.${number}` | `${number}.${number}.${number}`;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Method and path as one string, as section 4 writes it; `{name}` stands for the parameter of that name, which
 * is then not in the body. In a path its slashes stay and the rest is percent-encoded; in a query, a part whose
 * parameter is not given is left out.
 */
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

/** Conditions on the fields given: for each name the values that hold, an empty list for any value. */
export type When = Readonly<Record<string, readonly string[]>>;

/** JSON Schema of an object, in a rule. */
type Condition = Readonly<Record<string, unknown>>;

/**
 * A rule across the fields of an object: where `when` holds (always, without it), `must` has to hold too.
 * `because`, in any subschema of `must`, ends the sentence that a broken rule becomes, for example `when
 * {group} is given`; `{name}` stands for the place of the object's field of that name.
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
  /** For `binary`: a text is taken too, and becomes a Buffer by it. */
  readonly encoding?: 'utf8';
  readonly examples?: readonly (string | number | boolean)[];
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
}

export type Fields = Readonly<Record<string, Field>>;

/** What the device's answer is. `none`: the document shows no content, or does not show it. */
export type AnswerKind = 'none' | 'json' | 'text' | 'file';

/** What the fields of an operation, or of one of its variants, must be together. */
export interface Shape {
  readonly fields: Fields;
  readonly required: readonly string[];
  /** Rules across the fields. */
  readonly rules?: readonly Rule[];
  /** What parameters of any other name may be; their names have the format `name`. */
  readonly others?: { readonly name: Format; readonly value: Field };
  /** How many parameters must be sent at least. */
  readonly atLeast?: number;
}

/** One of the bodies of an operation that takes different ones (4.8). The fields given say which it is. */
export interface Variant extends Shape {
  readonly id: string;
  /** The label in the dialog; `{name}` stands for the value of the field of that name. */
  readonly title: string;
  /** What must be given for it. Of two that hold, one that asks for more than the other goes before it. */
  readonly when: When;
}

/**
 * What an operation starts, or ends: operations of one subject reach a device in the order of their messages.
 */
export interface Subject {
  /** For example `tone`. */
  readonly name: string;
  /** Each value of this parameter is a subject of its own, as each door is. */
  readonly by?: string;
  /** Only with these parameters has it this subject; else it has none. */
  readonly when?: When;
}

/** Options of an action node that only some operations have. */
export type Option = 'confirmWrite' | 'reloadAfter' | 'waitUntilBack' | 'skipSame';

/** One operation of section 4. */
export interface Operation extends Shape {
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
  /** Passes what is not urgent, but for its own subject, and does not wait for the device's model and firmware. */
  readonly urgent: boolean;
  readonly subject?: Subject;
  /** Ends its subject, and with it the starts that still wait. */
  readonly ends?: true;
  /** How what it starts is ended after a while. */
  readonly end?: End;
  readonly answer: AnswerKind;
  /**
   * What the body is, `json` unless said. `raw`: the parameter `content`, as application/octet-stream.
   * `audio`: `content` with the audio type that its bytes show; where other parameters are given, a multipart
   * form with the part `tone`, and those parameters as the part `data` (4.5.2).
   */
  readonly body?: 'json' | 'raw' | 'audio';
  /** With variants, `fields` holds every field of any of them, and each variant says what it takes. */
  readonly variants?: readonly Variant[];
  readonly confirm?: Confirmation;
  /** The node's options that it has. */
  readonly options?: readonly Option[];
  /** The device may take longer than a node's time limit allows: wait at least this long, in milliseconds. */
  readonly minTimeoutMs?: number;
}

/** The operations of one node. `noun` names the node, its icon, its catalogue file and its example. */
export interface OperationGroup {
  readonly noun: string;
  readonly operations: readonly Operation[];
}
