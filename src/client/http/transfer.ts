import { Semaphore } from './semaphore';

/** Told how many bytes of a transfer are done, and of how many, where that is known. */
export type Progress = (bytes: number, all?: number) => void;

/** Small enough for a slow line to show progress, in bytes. */
const sliceLength = 64 * 1024;

/** Whether a body takes long enough to be worth watching. */
export function isLong(body: Buffer | undefined): boolean {
  return body !== undefined && body.length > 4 * sliceLength;
}

/**
 * A body in slices, so that its way out can be watched and nothing else is held up: the next one is asked for when
 * the socket has taken the one before.
 */
export async function* slicesOf(body: Buffer, progress?: Progress): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += sliceLength) {
    progress?.(start, body.length);
    yield body.subarray(start, start + sliceLength);
  }
  progress?.(body.length, body.length);
}

/** So many long bodies are on their way at a time, to all devices together. */
const mostLongTransfers = 4;

/**
 * A file to hundreds of devices at once would fill the memory and the line, and make those look dead that wait
 * for their share: the time limit of each counts from its own beginning.
 */
export const longTransfers = new Semaphore(mostLongTransfers);
