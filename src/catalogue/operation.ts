import type { Field, Fields, Firmware, Format, Products, Rule, SuggestionKind, When } from './field';

/** Parameters of an operation, keyed by wire name; values of any type, checked or not. */
export type Parameters = Readonly<Record<string, unknown>>;

export type * from './field';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Method and path as one string, as in section 4. The parameter `name` replaces `{name}` and is left out of
 * the body. Values are percent-encoded; only the slashes of the parameter `path` stay. In a query, a pair
 * without a value is left out.
 */
export type Route = `${Method} /${string}`;

/** Format of the device's answer. `none`: the interface document shows no content. */
export type AnswerKind = 'none' | 'json' | 'text' | 'file';

export interface Shape {
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly rules?: readonly Rule[];
  /** For parameters that `fields` does not list: the format of their names, and the description of their values. */
  readonly others?: { readonly name: Format; readonly pick?: SuggestionKind; readonly value: Field };
  readonly atLeast?: number;
}

/** One of several bodies of an operation (section 4.8). The given fields decide which variant applies. */
export interface Variant extends Shape {
  readonly id: string;
  /** Label in the dialog; `{name}` stands for the value of the field `name`. */
  readonly title: string;
  /**
   * The conditions under which this variant applies, unless another variant also matches whose conditions
   * cover the same parameters and more.
   */
  readonly when: When;
}

export interface OutputSelector {
  readonly name: string;
  /** Name of a parameter, such as the door. Each value of the parameter is a separate device output. */
  readonly by?: string;
  readonly when?: When;
}

export interface AutoStopRule {
  readonly by: string;
  /** Parameters of the start that the stop repeats, if given, such as the door or the tone. */
  readonly takes?: readonly string[];
  /**
   * The field of the start that makes the device stop by itself after a number of whole seconds. Absent if no
   * device has such a field.
   */
  readonly field?: string;
}

export interface Confirmation {
  /** The operation that reads the result, as `resource/operation`. */
  readonly by: string;
  /**
   * The comparison.
   * - `each`: every sent parameter is read by its name and must have the sent value.
   * - `decibel`: the parameter and the answer's field must be the same number, with or without `dB`.
   * - `md5`: the answer's field must be the MD5 of the parameter as hex digits.
   * - `schedule`: days and events must be as planned; a hook of the node compares them.
   */
  readonly compare: 'each' | 'decibel' | 'md5' | 'schedule';
  /** For `decibel` and `md5`: name of the sent parameter to compare. */
  readonly parameter?: string;
  /** For `decibel` and `md5`: name of the field in the answer to compare. */
  readonly answer?: string;
}

export type Option = 'confirmWrite' | 'reloadAfter' | 'waitUntilBack' | 'skipUnchanged';

export interface Operation extends Shape {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly section: string;
  readonly route: Route;
  /**
   * For a composite operation, which has no request of its own: the operations that the node runs instead
   * (`resource/operation`). `route` is the route of the last operation, without a query.
   */
  readonly composedOf?: readonly string[];
  readonly firmware: Firmware;
  readonly products: Products;
  /** Whether the operation only reads although its route is a POST. A dry run sends such an operation. */
  readonly readsOnly?: true;
  /** Whether the operation is idempotent, so that it can be sent again after an unclear result. */
  readonly repeatable: boolean;
  /**
   * Whether the operation is sent before waiting operations that are not urgent. The support check of an
   * urgent operation does not read an unknown model or firmware first.
   */
  readonly urgent: boolean;
  readonly deviceOutput?: OutputSelector;
  /**
   * Key of operations that start and stop nothing. Operations with the same key are sent in order, as the
   * operations of one device output are.
   */
  readonly inOrderOf?: string;
  /** Whether the operation stops its device output, and so removes earlier waiting starts of this output. */
  readonly isStop?: true;
  readonly autoStop?: AutoStopRule;
  readonly answer: AnswerKind;
  /**
   * Format of the body; default: `json`. `raw`: the parameter `content` is sent as application/octet-stream.
   * `audio`: `content` is sent with the audio type that its bytes show; if there are other parameters, the body is
   * a multipart form with the parts `tone` and `data` (section 4.5.2).
   */
  readonly body?: 'json' | 'raw' | 'audio';
  /** Present if the operation has several bodies; `fields` then has all fields of all variants. */
  readonly variants?: readonly Variant[];
  readonly confirm?: Confirmation;
  readonly options?: readonly Option[];
  readonly minTimeoutMs?: number;
}

export interface OperationGroup {
  readonly resource: string;
  readonly operations: readonly Operation[];
}
