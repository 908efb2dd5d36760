import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { NodeAPI } from 'node-red';
import { localized, type Text } from '../../catalogue/localized-message';
import { isHeavier, lengthInJson } from '../../json';
import type { AdminHandler } from '../lazy';

interface GuardOptions {
  /** So many requests of one person in a minute. */
  readonly perMinute?: number;
  /** A longer request is refused, in characters of JSON; by its body, where that depends on what it asks. */
  readonly maxLength?: number | ((body: unknown) => number);
  /** Milliseconds, for tests. */
  readonly now?: () => number;
}

const minuteMs = 60_000;

/** What a dialog asks is shorter; what is longer takes a while to be looked through, and messages would wait for that. */
export const defaultMaxLength = 64 * 1024;

/** So many targets or ids are in one question. */
export const maxIds = 1_000;

/**
 * What stands before an endpoint of the editor: lets through who has the permission, comes from the editor's own
 * pages or from no page at all, and does not ask too often. Use it for POST only: of a GET a browser does not
 * always say where it comes from.
 */
export function guard(
  RED: Pick<NodeAPI, 'auth'>,
  permission: string,
  { perMinute = 60, maxLength = defaultMaxLength, now = Date.now }: GuardOptions = {},
): AdminHandler {
  const isPermitted = RED.auth.needsPermission(permission) as unknown as AdminHandler;
  /** When each person's requests of the last minute came. */
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

/** What is too much about a request; undefined where nothing is. Node-RED has unpacked it, so its header does not tell. */
function excessOf(body: unknown, maxLength: NonNullable<GuardOptions['maxLength']>): Text | undefined {
  const limit = typeof maxLength === 'number' ? maxLength : maxLength(body);
  if (isHeavier(body, limit, lengthInJson)) return localized('requestTooLong', { most: String(limit) });
  const { ids, targets } = Object(body) as { ids?: unknown; targets?: unknown };
  const isOfMany = [ids, targets].some((list) => Array.isArray(list) && list.length > maxIds);
  return isOfMany ? localized('tooManyAsked', { most: String(maxIds) }) : undefined;
}

/** What only those reach whom the guard lets through. */
export function guarded(may: AdminHandler, handler: AdminHandler): AdminHandler {
  return (request, response, next) =>
    may(request, response, (error) => (error ? next(error) : handler(request, response, next)));
}

/** What is answered where nothing is done: why, in English and for the editor's language. */
export function refusalOf(why: Text): { readonly error: string; readonly said: Text } {
  return { error: String(why), said: why };
}

/** Node-RED 4.1 lets pages of every site ask, and without a login they would be let in. */
function isCrossSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** Answers with JSON that nobody keeps. */
export function answer(response: ServerResponse, status: number, body: object): void {
  if (begin(response, status)) response.end(JSON.stringify(body));
}

/** The same for what may be very much: others have their turn between its parts. Rejects where nobody takes it. */
export async function answerInParts(response: ServerResponse, status: number, body: object): Promise<void> {
  if (begin(response, status)) await pipeline(Readable.from(jsonOf(body), { highWaterMark: 1 }), response);
}

/** Returns whether there is still to be answered. */
function begin(response: ServerResponse, status: number): boolean {
  if (response.headersSent) return false;
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json');
  return true;
}

/** As deep as the days of a calendar in an answer, each of which is one part. */
const depthOfParts = 3;

/** JSON in parts, with a turn of the event loop before each. */
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
