import type { Field, Fields, Firmware, Format, Offered, Products, Rule, When } from './field';

/** Parameters of an operation by their wire names; values of any type, checked or not. */
export type Parameters = Readonly<Record<string, unknown>>;

export type * from './field';

/**
 * The shape of a catalogue entry. An operation is plain data: no functions, no builders, no flag that only
 * one entry sets. Fields are JSON Schema (draft 2020-12) with a few words of our own, which `schema.ts` puts
 * into JSON Schema, so an established validator checks them and other tools can read them.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Method and path as one string, as section 4 writes it; `{name}` stands for the parameter of that name, which
 * is then not in the body. In a path its slashes stay and the rest is percent-encoded; in a query, a part whose
 * parameter is not given is left out.
 */
export type Route = `${Method} /${string}`;

/** What the device's answer is. `none`: the document shows no content, or does not show it. */
export type AnswerKind = 'none' | 'json' | 'text' | 'file';

/** What the fields of an operation, or of one of its variants, must be together. */
export interface Shape {
  readonly fields: Fields;
  readonly required: readonly string[];
  /** Rules across the fields. */
  readonly rules?: readonly Rule[];
  /** What parameters of any other name may be; their names have the format `name`. */
  readonly others?: { readonly name: Format; readonly pick?: Offered; readonly value: Field };
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

/** Names the device output that an operation starts or stops: operations of one reach it in the order of their messages. */
export interface OutputSelector {
  /** For example `tone`. */
  readonly name: string;
  /** Each value of this parameter is a device output of its own, as each door is. */
  readonly by?: string;
  /** Only with these parameters has the operation this device output; else it has none. */
  readonly when?: When;
}

/**
 * The stop after a time of an operation that starts something. An operation without one ends by itself, or is a test,
 * an upload or a console's event, which the user ends.
 */
export interface AutoStopRule {
  /** The id of the operation of the same node that stops it. */
  readonly by: string;
  /** Parameters of the start that the stop is given as well, where the start has them, such as the door or the tone. */
  readonly takes?: readonly string[];
  /**
   * The field of the start by which the device itself stops after a number of whole seconds; the device needs the
   * firmware and product of that field. Absent where no device can.
   */
  readonly field?: string;
}

/** The way to confirm that an operation had its effect. */
export interface Confirmation {
  /** The operation that reads it, as `resource/operation`. */
  readonly by: string;
  /**
   * - `each`: every parameter sent is read by its name and must hold its value.
   * - `decibel`: the parameter and the answer's field must be the same number, with or without `dB`.
   * - `md5`: the answer's field must be the MD5 of the parameter, as lowercase hex.
   * - `schedule`: the days and events must be what was worked out; the node's own hook compares them.
   */
  readonly compare: 'each' | 'decibel' | 'md5' | 'schedule';
  readonly parameter?: string;
  readonly answer?: string;
}

/** Options of an action node that only some operations have. */
export type Option = 'confirmWrite' | 'reloadAfter' | 'waitUntilBack' | 'skipUnchanged';

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
  /** Made of these (`resource/operation`), without a request of its own: its route is that of the last of them. */
  readonly of?: readonly string[];
  readonly firmware: Firmware;
  readonly products: Products;
  /** The operation only reads, although its route is a POST: a dry run sends it. */
  readonly readsOnly?: true;
  /** May be sent again when it is not known whether it was done. */
  readonly repeatable: boolean;
  /** Passes what is not urgent, but for its own device output, and does not wait for the device's model and firmware. */
  readonly urgent: boolean;
  readonly deviceOutput?: OutputSelector;
  /**
   * Starts and ends nothing, and reaches the device in the order of the messages all the same, with all that has the
   * same name here, however long the parameters of one take to be read.
   */
  readonly inOrderOf?: string;
  /** Stops its device output, and takes out the starts that still wait. */
  readonly isStop?: true;
  /** The stop after a time of what it starts. */
  readonly autoStop?: AutoStopRule;
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

/** The operations of one node. `resource` names the node, its icon, its catalogue file and its example. */
export interface OperationGroup {
  readonly resource: string;
  readonly operations: readonly Operation[];
}
