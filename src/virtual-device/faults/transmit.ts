import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock/clock';
import type { After } from './plan';

/** Waits `ms` milliseconds. Resolves to false if the client closed the connection in the meantime. */
export function wait(ms: number, clock: Clock, response: ServerResponse): Promise<boolean> {
  if (response.destroyed || response.socket?.destroyed) return Promise.resolve(false);
  if (ms <= 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const onClosed = (): void => {
      timer.cancel();
      resolve(false);
    };
    const timer = clock.setTimeout(() => {
      response.off('close', onClosed);
      resolve(true);
    }, ms);
    response.once('close', onClosed);
  });
}

/** The caller must have set the status and the headers. */
export async function transmit(
  response: ServerResponse,
  content: Buffer,
  { kind, bytesPerSecond, contentType, noise }: After,
  clock: Clock,
): Promise<void> {
  const { socket } = response;
  if (kind === 'unanswered') return;
  if (kind === 'reset-after') {
    socket?.resetAndDestroy();
    return;
  }
  if (kind === 'garbage') {
    socket?.end(noise);
    return;
  }
  if (kind === 'half') {
    const half = content.subarray(0, Math.floor(content.length / 2));
    if (half.length === 0) socket?.end(`HTTP/1.1 ${response.statusCode} OK\r\nContent-Len`);
    else response.write(half, () => socket?.destroy());
    return;
  }
  if (kind === 'content-type') response.setHeader('Content-Type', contentType);
  if (bytesPerSecond === undefined) response.end(content);
  else await trickle(response, content, bytesPerSecond, clock);
}

async function trickle(
  response: ServerResponse,
  content: Buffer,
  bytesPerSecond: number,
  clock: Clock,
): Promise<void> {
  const size = Math.max(1, Math.floor(bytesPerSecond / stepsPerSecond));
  const pauseMs = (1000 * size) / bytesPerSecond;
  for (let at = 0; at < content.length; at += size) {
    if (!(await wait(pauseMs, clock, response))) return;
    response.write(content.subarray(at, at + size));
  }
  response.end();
}

const stepsPerSecond = 10;
