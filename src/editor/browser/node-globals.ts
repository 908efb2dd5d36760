/**
 * A substitute for Node's `Buffer`, which a page lacks. In a page, the catalogue only creates buffers and
 * checks for them.
 */
class Bytes {}

export const Buffer = {
  isBuffer: (value: unknown): boolean => value instanceof Bytes,
  from: (): object => new Bytes(),
};

/**
 * A substitute for Node's `setImmediate`, which a page lacks. The catalogue uses `setImmediate` to do long
 * work in slices.
 */
export const setImmediate = (task: () => void): void => void setTimeout(task, 0);
