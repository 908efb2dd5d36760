import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { adminName } from '../choices';
import type { Head } from './incoming';

export type AuthenticationMethod = 'standard' | 'basic' | 'none';

/** The parts of a request that decide about access. */
export interface Credentials extends Head {
  readonly body: Buffer;
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
export function digestOf(password: string, input: string): string {
  return createHmac('sha256', password).update(input, 'latin1').digest('hex');
}

/** Returns the MD5 in lowercase hex, as in Content-MD5 (docs/field-notes.md section 1). */
export function md5Of(body: Buffer): string {
  return createHash('md5').update(body).digest('hex');
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

export function signedUris(target: string, which: Lock['signedUri']): string[] {
  const path = target.split('?', 1)[0] ?? target;
  if (which === 'either') return [path, target];
  return [which === 'path' ? path : target];
}

interface Hmac {
  readonly username: string;
  readonly nonce: string;
  readonly digest: string;
}

/** Returns the parts of the header `Authorization`; undefined if the header has another form. */
export function readHmac({ authorization = '' }: IncomingHttpHeaders): Hmac | undefined {
  const match = /^hmac ([^:\s]+):([^:\s]+):([0-9a-f]{64})$/.exec(authorization);
  const [, username = '', nonce = '', digest = ''] = match ?? [];
  return match ? { username, nonce, digest } : undefined;
}

/** Returns the reason of a rejection, for the log (section 5); undefined if access is allowed. */
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
  const hmac = readHmac(headers);
  if (!hmac)
    return `the header "Authorization: hmac ${adminName}:<nonce>:<hex digest>" is missing or malformed`;
  if (hmac.username !== adminName) return `the username must be ${adminName}`;
  const timestamp = secondsOf(headers.date ?? '');
  if (timestamp === undefined) return 'the header Date is missing or malformed';
  const away = Math.abs(lock.now - timestamp);
  if (away >= lock.tolerance)
    return `the clocks are ${away} s apart; less than ${lock.tolerance} s is tolerated`;
  const parts = bodyParts(credentials);
  if (!Array.isArray(parts)) return parts.reason;
  const inputs = signedUris(target, lock.signedUri).map((uri) =>
    [method, uri, ...parts, timestamp, hmac.nonce].join(':'),
  );
  if (inputs.some((input) => isSame(digestOf(lock.password, input), hmac.digest))) return undefined;
  return `the signature does not match; wrong password, or not signed over ${inputs.join(' nor ')}`;
}

/**
 * A request without a body and a multipart upload have no signed parts between URI and timestamp (section 5).
 */
function bodyParts({ headers, body }: Credentials): string[] | { reason: string } {
  const md5 = headers['content-md5'];
  const type = headers['content-type'] ?? '';
  if (type.startsWith('multipart/') || (body.length === 0 && md5 === undefined)) return [];
  if (typeof md5 !== 'string') return { reason: 'the header Content-MD5 is missing' };
  const actual = md5Of(body);
  return md5 === actual ? [md5, type] : { reason: `Content-MD5 is ${md5}, but the body's MD5 is ${actual}` };
}
