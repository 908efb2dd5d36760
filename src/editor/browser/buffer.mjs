/** In a page there are no Buffers; the few uses in the catalogue ask whether something is one, and make one. */
class Bytes {}

export const Buffer = {
  /** @param {unknown} value */
  isBuffer: (value) => value instanceof Bytes,
  from: () => new Bytes(),
};
