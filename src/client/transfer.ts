/** Told how many bytes of a transfer are done, and of how many, where that is known. */
export type Progress = (bytes: number, all?: number) => void;

/** Small enough for a slow line to show progress, in bytes. */
const sliceLength = 64 * 1024;

/** Whether a body takes long enough to be worth watching. */
export function isLong(body: Buffer): boolean {
  return body.length > 4 * sliceLength;
}

/**
 * A body in slices, so that its way out can be watched: the next one is asked for when the socket has taken
 * the one before.
 */
export async function* slicesOf(body: Buffer, progress: Progress): AsyncGenerator<Buffer> {
  for (let start = 0; start < body.length; start += sliceLength) {
    progress(start, body.length);
    yield body.subarray(start, start + sliceLength);
  }
  progress(body.length, body.length);
}
