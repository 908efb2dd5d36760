/** A substitute for `Buffer`, which a page lacks. The catalogue only creates buffers and checks for them. */
class Bytes {}

export const Buffer = {
  isBuffer: (value: unknown): boolean => value instanceof Bytes,
  from: (): object => new Bytes(),
};

/** A substitute for `setImmediate`, which a page lacks. Work in slices uses `setImmediate`. */
export const setImmediate = (task: () => void): void => void setTimeout(task, 0);
