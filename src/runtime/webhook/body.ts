import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../kernel/time/clock';

/** Maximum size of a body, in bytes. */
const maxBytes = 64 * 1024;

/** Maximum time until a body is complete, in milliseconds. */
const maxBodyMs = 10_000;

/**
 * The bytes of a body, or the reason why the body was not read.
 * - `size`: the body is too long.
 * - `body`: the body was not complete in time.
 * - `gone`: the sender closed the connection before the body was complete.
 */
export type Body = Buffer | 'size' | 'body' | 'gone';

const maxPieces = 256;

/** Reads a body. After a refusal, the rest of the body is discarded, so that the sender sees the answer. */
export function readBody(request: IncomingMessage, clock: Pick<Clock, 'after'>): Promise<Body> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const finish = (body: Body) => {
      cancel();
      resolve(body);
    };
    const cancel = clock.after(maxBodyMs, () => finish('body'));
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) finish('size');
      else chunks.push(chunk);
      // Many small pieces would take many times the memory of their bytes.
      if (chunks.length >= maxPieces) chunks = [Buffer.concat(chunks)];
    });
    request.on('end', () => finish(Buffer.concat(chunks)));
    request.on('close', () => finish('gone'));
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) finish('size');
  });
}
