/**
 * A substitute for Node's `Buffer`, which pages lack. In a page, the catalogue only creates and recognizes
 * buffers.
 */
class Bytes {}

export const Buffer = {
  isBuffer: (value: unknown): boolean => value instanceof Bytes,
  from: (): object => new Bytes(),
};

/**
 * A substitute for Node's `setImmediate`, which pages lack. Code shared with the runtime uses `setImmediate`
 * to pause long work.
 */
export const setImmediate = (task: () => void): void => void setTimeout(task, 0);
