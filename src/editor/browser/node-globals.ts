/**
 * A substitute for Node's `Buffer`, which pages lack. In a page, the catalogue only creates buffers and tests
 * for them.
 */
class Bytes {}

export const Buffer = {
  isBuffer: (value: unknown): boolean => value instanceof Bytes,
  from: (): object => new Bytes(),
};

/**
 * A substitute for Node's `setImmediate`, which pages lack. The catalogue uses it to do long work in slices.
 */
export const setImmediate = (task: () => void): void => void setTimeout(task, 0);
