import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { adminName } from '../choices';

export type AuthenticationMethod = 'standard' | 'basic' | 'none';

/** A request before its body has come. */
export interface Head {
  readonly method: string;
  /** The request target as sent, query included. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a signature says about a body. */
export interface Content {
  readonly bytes: number;
  /** Lowercase hexadecimal. */
  readonly md5: string;
}

/** What a request is judged by; without content when its body was not taken in. */
export interface Credentials extends Head {
  readonly content: Content | undefined;
}

export interface Lock {
  readonly method: AuthenticationMethod;
  readonly password: string;
  /** The device's time, whole seconds since the Unix epoch. */
  readonly now: number;
  /** `api.auth.tsvar`, seconds. */
  readonly tolerance: number;
  /** Which part of the target counts as the signed uri; the document does not say (docs/field-notes.md section 1). */
  readonly signedUri: 'path' | 'target' | 'either';
}

/** Lowercase hex HMAC-SHA-256 (section 5). */
export function digestOf(password: string, input: string): string {
  return createHmac('sha256', password).update(input, 'utf8').digest('hex');
}

/** Sums a body up, with lowercase hex MD5 as in Content-MD5 (docs/field-notes.md section 1), once that is asked for. */
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

/** Seconds since the Unix epoch, or nothing when the text is not `Day, DD Mon YYYY HH:MM:SS GMT`. */
export function secondsOf(date: string): number | undefined {
  const ms = httpDate.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) || new Date(ms).toUTCString() !== date ? undefined : ms / 1000;
}

/** Bytes of the body, as far as its head says. */
export function announcedBytes(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0);
}

/** What counts as the signed uri; both where either is taken. */
export function signedUris(target: string, which: Lock['signedUri']): string[] {
  const path = target.split('?', 1)[0] ?? target;
  if (which === 'either') return [path, target];
  return [which === 'path' ? path : target];
}

/** Takes the header apart, also where its signature is written in capitals. */
export function readHmac(authorization: string): { username?: string; nonce?: string; digest?: string } {
  const match = /^hmac ([^:\s]+):([^:\s]+):([0-9a-fA-F]{64})$/.exec(authorization);
  const [, username, nonce, digest] = match ?? [];
  if (username === undefined || nonce === undefined || digest === undefined) return {};
  return { username, nonce, digest };
}

/**
 * Why a request must be turned away (section 5), in words for the log; nothing when it may pass. Without its
 * content: why it must be, whatever that will be.
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

/** The parts between uri and timestamp: none without a body and for multipart uploads (section 5). */
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
