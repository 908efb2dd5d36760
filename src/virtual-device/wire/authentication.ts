import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { adminName } from '../choices';

export type AuthenticationMethod = 'standard' | 'basic' | 'none';

export interface Head {
  readonly method: string;
  /** Request target as sent, including the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Content {
  readonly bytes: number;
  /** MD5 in lowercase hex. */
  readonly md5: string;
}

/** The parts of a request that decide about access; `content` is undefined if the body was not read. */
export interface Credentials extends Head {
  readonly content: Content | undefined;
}

export interface Lock {
  readonly method: AuthenticationMethod;
  readonly password: string;
  /** Device time in whole epoch seconds. */
  readonly now: number;
  /** The clock difference must be less than this number of seconds (`api.auth.tsvar`). */
  readonly tolerance: number;
  /**
   * The part of the target that is the signed URI, which the interface document leaves open
   * (docs/field-notes.md section 1).
   */
  readonly signedUri: 'path' | 'target' | 'either';
}

/**
 * Returns the HMAC-SHA-256 in lowercase hex (section 5). With latin1, the signed bytes are the sent bytes,
 * since Node reads and sends the parts of a request with one character for each byte.
 */
export function digestOf(password: string, input: string, encoding: 'latin1' | 'utf8' = 'latin1'): string {
  return createHmac('sha256', password).update(input, encoding).digest('hex');
}

/**
 * The MD5 is in lowercase hex, as in Content-MD5 (docs/field-notes.md section 1), and is calculated on first
 * access.
 */
export function contentOf(body: Buffer): Content {
  let left: Buffer | undefined = body;
  let md5 = '';
  return {
    bytes: body.length,
    get md5() {
      if (left) md5 = createHash('md5').update(left).digest('hex');
      left = undefined;
      return md5;
    },
  };
}

const httpDate = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the time of a `Date` header in epoch seconds; undefined unless the text has the form `Day, DD Mon
 * YYYY HH:MM:SS GMT`.
 */
export function secondsOf(date: string): number | undefined {
  const ms = httpDate.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) || new Date(ms).toUTCString() !== date ? undefined : ms / 1000;
}

export function announcedBytes(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0);
}

export function signedUris(target: string, which: Lock['signedUri']): string[] {
  const path = target.split('?', 1)[0] ?? target;
  if (which === 'either') return [path, target];
  return [which === 'path' ? path : target];
}

/** Accepts a signature in capitals, so that the log can explain the rejection. */
export function readHmac(authorization: string): { username?: string; nonce?: string; digest?: string } {
  const match = /^hmac ([^:\s]+):([^:\s]+):([0-9a-fA-F]{64})$/.exec(authorization);
  const [, username, nonce, digest] = match ?? [];
  if (username === undefined || nonce === undefined || digest === undefined) return {};
  return { username, nonce, digest };
}

/**
 * Returns the reason of a rejection, for the log (section 5); undefined if access is allowed. If the body was
 * not read, checks only the head.
 */
export function refuseCredentials(credentials: Credentials, lock: Lock): string | undefined {
  if (lock.method === 'none') return undefined;
  return lock.method === 'basic' ? refuseBasic(credentials, lock) : refuseStandard(credentials, lock);
}

function refuseBasic({ headers }: Credentials, lock: Lock): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return 'the header "Authorization: Basic …" is missing or malformed';
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return isSame(given, `${adminName}:${lock.password}`) ? undefined : 'wrong username or password';
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function refuseStandard(credentials: Credentials, lock: Lock): string | undefined {
  const { method, target, headers } = credentials;
  const { username, nonce, digest } = readHmac(headers.authorization ?? '');
  if (
    username === undefined ||
    nonce === undefined ||
    digest === undefined ||
    digest !== digest.toLowerCase()
  )
    return `the header "Authorization: hmac ${adminName}:<nonce>:<hex digest>" is missing or malformed`;
  if (username !== adminName) return `the username must be ${adminName}`;
  const timestamp = secondsOf(headers.date ?? '');
  if (timestamp === undefined) return 'the header Date is missing or malformed';
  const away = Math.abs(lock.now - timestamp);
  if (away >= lock.tolerance)
    return `the clocks are ${away} s apart; less than ${lock.tolerance} s is tolerated`;
  const parts = bodyParts(credentials);
  if (!Array.isArray(parts)) return parts.reason;
  const inputs = signedUris(target, lock.signedUri).map((uri) =>
    [method, uri, ...parts, timestamp, nonce].join(':'),
  );
  if (inputs.some((input) => isSame(digestOf(lock.password, input), digest))) return undefined;
  return `the signature does not match; wrong password, or not signed over ${inputs.join(' nor ')}`;
}

/**
 * A request without a body and a multipart upload have no signed parts between URI and timestamp (section 5).
 */
function bodyParts({ headers, content }: Credentials): string[] | { reason: string } {
  const md5 = headers['content-md5'];
  const type = headers['content-type'] ?? '';
  const bytes = content ? content.bytes : announcedBytes(headers);
  if (type.startsWith('multipart/') || (bytes === 0 && md5 === undefined)) return [];
  if (typeof md5 !== 'string') return { reason: 'the header Content-MD5 is missing' };
  if (content && md5 !== content.md5)
    return { reason: `Content-MD5 is ${md5}, but the body's MD5 is ${content.md5}` };
  return [md5, type];
}
