import type { WireRequest } from '../../client/client';
import { DeviceError, wordsOf } from '../../client/errors';
import type { ActionHooks } from './hooks';
import type { Given } from './parameters';

/** Sends what the message says instead of an operation's route, signed all the same. */
export function freeRequests(): ActionHooks {
  return {
    send({ parameters }, turn, options) {
      return turn.send(wireRequestOf(parameters), options);
    },
  };
}

function wireRequestOf({ method, path, body, contentType }: Given): WireRequest {
  const line = { method: method as WireRequest['method'], path: String(path) };
  if (body === undefined) return line;
  const [bytes, usualType] = bytesOf(body);
  return { ...line, body: bytes, contentType: String(contentType ?? usualType) };
}

function bytesOf(body: unknown): [Buffer, string] {
  if (Buffer.isBuffer(body)) return [body, 'application/octet-stream'];
  if (typeof body === 'string') return [Buffer.from(body), 'text/plain'];
  return [Buffer.from(jsonOf(body)), 'application/json'];
}

/** What a message holds may refer to itself, or be no JSON at all. */
function jsonOf(body: unknown): string {
  let reason = 'JSON has no such thing';
  try {
    const text: string | undefined = JSON.stringify(body);
    if (text !== undefined) return text;
  } catch (error) {
    [reason = reason] = wordsOf(error).split('\n', 1);
  }
  throw new DeviceError('INVALID_PARAMETER', `body cannot be written as JSON (${reason}); nothing was sent`);
}
