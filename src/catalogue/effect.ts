/**
 * How what an operation starts is ended after a while. Whatever has none ends by itself, or is a test, an upload
 * or a console's event that somebody else ends.
 */
export interface End {
  /** The id of the operation of the same node that ends it. */
  readonly by: string;
  /** Parameters of the start that this one is given as well, where the start has them: which door, which tone. */
  readonly takes?: readonly string[];
  /**
   * The field of the start by which the device itself ends it after so many whole seconds; what the field's own
   * firmware and products are, the device needs. Absent where no device can.
   */
  readonly field?: string;
}

/** How an operation's effect is read back. */
export interface Confirmation {
  /** The operation that reads it, as `noun/operation`. */
  readonly by: string;
  /**
   * - `each`: every parameter sent is read by its name and must hold its value.
   * - `decibel`: the parameter and the answer's field must be the same number, with or without `dB`.
   * - `md5`: the answer's field must be the MD5 of the parameter, as lowercase hex.
   */
  readonly compare: 'each' | 'decibel' | 'md5';
  readonly parameter?: string;
  readonly answer?: string;
}
