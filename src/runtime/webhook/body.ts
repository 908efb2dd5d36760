import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../time/clock';

/** Maximum size of a body, in bytes. */
export const maxBytes = 64 * 1024;

/** Maximum time until a body is complete, in milliseconds. */
const maxBodyMs = 10_000;

/**
 * The bytes of a body, or the reason why the body was not read.
 * - `size`: the body is too long.
 * - `late`: the body was not complete in time.
 * - `gone`: the sender closed the connection before the body was complete.
 */
export type Body = Buffer | 'size' | 'late' | 'gone';

const maxPieces = 256;

const ignore = () => {};

export function readBody(request: IncomingMessage, clock: Pick<Clock, 'after'>): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('size');
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const finish = (body: Body) => {
      cancel();
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      // Without a listener, an error after the end would be thrown.
      request.on('error', ignore);
      resolve(body);
    };
    const cancel = clock.after(maxBodyMs, () => finish('late'));
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) finish('size');
      else chunks.push(chunk);
      // Many small pieces would take many times the memory of their bytes.
      if (chunks.length >= maxPieces) chunks = [Buffer.concat(chunks)];
    };
    const onEnd = () => finish(Buffer.concat(chunks, length));
    const onGone = () => finish('gone');
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** Reads on after a refusal, so that the sender sees the answer; a sender that does not end is cut off. */
export function discardRest(request: IncomingMessage): void {
  let left = maxBytes;
  request.on('data', ({ length }: Buffer) => {
    left -= length;
    if (left < 0) request.destroy();
  });
}
