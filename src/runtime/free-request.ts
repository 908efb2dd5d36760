import type { SendOptions, WireRequest } from '../client/client';
import type { ActionHooks, Parameters } from './delivery';

/** Sends what the message says instead of an operation's route, signed all the same. */
export function freeRequests(): ActionHooks {
  return {
    send({ parameters }, device, options: SendOptions) {
      return device.send(wireRequestOf(parameters), options);
    },
  };
}

function wireRequestOf({ method, path, body, contentType }: Parameters): WireRequest {
  const line = { method: method as WireRequest['method'], path: String(path) };
  if (body === undefined) return line;
  const [bytes, usualType] = bytesOf(body);
  return { ...line, body: bytes, contentType: String(contentType ?? usualType) };
}

function bytesOf(body: unknown): [Buffer, string] {
  if (Buffer.isBuffer(body)) return [body, 'application/octet-stream'];
  if (typeof body === 'string') return [Buffer.from(body), 'text/plain'];
  return [Buffer.from(JSON.stringify(body)), 'application/json'];
}
