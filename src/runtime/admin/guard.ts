import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NodeAPI } from 'node-red';
import { localized, type Text } from '../../catalogue/localized-message';
import { isHeavier, lengthInJson } from '../../json';
import type { AdminHandler } from '../lazy';

interface GuardOptions {
  /** Maximum number of requests of one user per minute; default: 60. */
  readonly perMinute?: number;
  /**
   * Maximum length of a request as JSON, in characters; or a function that returns the maximum for a request.
   */
  readonly maxLength?: number | ((body: unknown) => number);
  readonly now?: () => number;
}

const minuteMs = 60_000;

/**
 * Default maximum length of a request as JSON, in characters. Reading a longer request could delay messages.
 */
export const defaultMaxLength = 64 * 1024;

export const maxIds = 1_000;

/**
 * Returns a handler that checks the permission, the origin, the rate and the length of a request. Use the
 * handler only for POST, since browsers do not always send the origin of a GET request.
 */
export function guard(
  RED: Pick<NodeAPI, 'auth'>,
  permission: string,
  { perMinute = 60, maxLength = defaultMaxLength, now = Date.now }: GuardOptions = {},
): AdminHandler {
  const isPermitted = RED.auth.needsPermission(permission) as unknown as AdminHandler;
  /**
   * For each user, the times of the requests of the last minute that did not exceed the rate, in epoch
   * milliseconds.
   */
  const asked = new Map<string, number[]>();
  return (request, response, next) => {
    if (isCrossSite(request)) return answer(response, 403, refusalOf(localized('crossSite')));
    return isPermitted(request, response, (error) => {
      if (error) return next(error);
      const who = String(request.user?.username ?? '');
      const recent = (asked.get(who) ?? []).filter((at) => at > now() - minuteMs);
      asked.set(who, recent);
      if (recent.length >= perMinute) {
        response.setHeader('Retry-After', '60');
        return answer(response, 429, refusalOf(localized('tooOften', { count: String(perMinute) })));
      }
      recent.push(now());
      const excess = excessOf(request.body, maxLength);
      return excess ? answer(response, 413, refusalOf(excess)) : next();
    });
  };
}

/** Measures the parsed body, since Node-RED might have decompressed the received bytes. */
function excessOf(body: unknown, maxLength: NonNullable<GuardOptions['maxLength']>): Text | undefined {
  const limit = typeof maxLength === 'number' ? maxLength : maxLength(body);
  if (isHeavier(body, limit, lengthInJson)) return localized('requestTooLong', { most: String(limit) });
  const { ids, targets } = Object(body) as { ids?: unknown; targets?: unknown };
  const isOfMany = [ids, targets].some((list) => Array.isArray(list) && list.length > maxIds);
  return isOfMany ? localized('tooManyAsked', { most: String(maxIds) }) : undefined;
}

export function guarded(may: AdminHandler, handler: AdminHandler): AdminHandler {
  return (request, response, next) =>
    may(request, response, (error) => (error ? next(error) : handler(request, response, next)));
}

export function refusalOf(why: Text): { readonly error: string; readonly localizedMessage: Text } {
  return { error: String(why), localizedMessage: why };
}

/** Whether a page of another origin sent the request. Node-RED 4.1 does not check the origin. */
function isCrossSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  // Compares texts, since parsing the host as a URL takes quadratic time for some hosts.
  return origin !== `http://${host}` && origin !== `https://${host}`;
}

export function answer(response: ServerResponse, status: number, body: object): void {
  if (begin(response, status)) response.end(JSON.stringify(body));
}

/**
 * Sends a large body as JSON in parts, so that other work can run in between. Rejects if the client
 * disconnects.
 */
export async function answerInParts(response: ServerResponse, status: number, body: object): Promise<void> {
  if (begin(response, status)) await pipeline(Readable.from(jsonOf(body), { highWaterMark: 1 }), response);
}

function begin(response: ServerResponse, status: number): boolean {
  if (response.headersSent) return false;
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json');
  return true;
}

/** Number of levels of objects that are split into parts. The days of a calendar are at this depth. */
const depthOfParts = 3;

/** Yields a value as JSON in parts, with a turn of the event loop before each value that is not split. */
export async function* jsonOf(value: unknown, depth = depthOfParts): AsyncGenerator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    await new Promise((resolve) => setImmediate(resolve));
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonOf(member, depth - 1);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
