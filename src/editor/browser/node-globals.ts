/** In a page there are no Buffers; the few uses in the catalogue ask whether something is one, and make one. */
class Bytes {}

export const Buffer = {
  isBuffer: (value: unknown): boolean => value instanceof Bytes,
  from: (): object => new Bytes(),
};

/** In a page there is no setImmediate; work in slices asks for it. */
export const setImmediate = (task: () => void): void => void setTimeout(task, 0);
