import { createHash, createHmac, randomFillSync } from 'node:crypto';
import type { WireRequest } from './call';
import type { DeviceSettings } from './settings';

/** A difference of the clocks up to this one is not worth signing again: 5 s. */
const clockToleranceMs = 5_000;

/** The parts of the client's environment that a signature needs. */
interface Signatory {
  /** Epoch milliseconds. */
  now(): number;
  /** A random string without a colon, new for every request. */
  nonce(): string;
}

/** The headers of one request, and what may be shown of them. */
export interface Authorized {
  readonly headers: Readonly<Record<string, string>>;
  /** For the trace: what was signed, without the digest. */
  shown(): string;
  /** What must not appear in any text: the digest, or the Basic credentials as they are sent and as they are. */
  readonly secrets: readonly string[];
  readonly querySigned: boolean;
}

/** The device's clock, read from an answer. */
export interface ClockReading {
  /** Its clock minus ours, in milliseconds. */
  readonly differenceMs: number;
  /** The refused request was signed in the device's clock already. */
  readonly allowedFor: boolean;
}

const md5s = new WeakMap<WireRequest, string>();

/** A body may be large and go to hundreds of devices, and again and again: it is hashed once. */
function md5OfBody(request: WireRequest, body: Buffer): string {
  const known = md5s.get(request);
  if (known !== undefined) return known;
  const md5 = md5Of(body);
  md5s.set(request, md5);
  return md5;
}

/** Signs requests for one device and learns from its refusals: its clock, and whether it signs the query. */
export class Authentication {
  /** The device's clock minus ours, known once a refusal showed it. */
  clockOffsetMs: number | undefined;
  #signsQuery = false;

  constructor(
    private readonly settings: Pick<DeviceSettings, 'auth' | 'password'>,
    private readonly environment: Signatory,
  ) {}

  /** The request's headers for this moment; a new nonce each time. */
  authorize(request: WireRequest, querySigned = this.#signsQuery): Authorized {
    const plain: Record<string, string> = request.contentType ? { 'Content-Type': request.contentType } : {};
    const password = this.settings.password ?? '';
    if (this.settings.auth === 'none') {
      return { headers: plain, shown: () => 'no authentication', secrets: [], querySigned };
    }
    if (this.settings.auth === 'basic') {
      const login = `${username}:${password}`;
      const encoded = Buffer.from(login).toString('base64');
      const headers = { ...plain, Authorization: `Basic ${encoded}` };
      return { headers, shown: () => 'Basic authentication', secrets: [encoded, login], querySigned };
    }
    return this.#sign(request, plain, password, querySigned);
  }

  /** Adds to headers that are this request's own. */
  #sign(
    request: WireRequest,
    headers: Record<string, string>,
    password: string,
    querySigned: boolean,
  ): Authorized {
    const { method, path, body, contentType, signBody = true } = request;
    // Date and timestamp come from one integer, else they differ at a second's boundary.
    const timestamp = Math.floor((this.environment.now() + (this.clockOffsetMs ?? 0)) / 1000);
    const nonce = this.environment.nonce();
    const uri = querySigned || !path.includes('?') ? path : path.slice(0, path.indexOf('?'));
    const md5 = body && signBody ? md5OfBody(request, body) : undefined;
    const signedBody = md5 === undefined ? undefined : { md5, type: contentType ?? '' };
    const input = hmacInput({ method, uri, body: signedBody, timestamp, nonce });
    const digest = digestOf(input, password);
    const date = httpDate(timestamp);
    if (md5 !== undefined) headers['Content-MD5'] = md5;
    headers.Date = date;
    headers.Authorization = `hmac ${username}:${nonce}:${digest}`;
    const shown = () => `signed "${input}", Date "${date}"${md5 === undefined ? '' : `, Content-MD5 ${md5}`}`;
    return { headers, shown, secrets: [digest], querySigned };
  }

  /** What a refusal's `Date` says about the device's clock; undefined without one that can be read. */
  readClock(date: string | undefined): ClockReading | undefined {
    const theirs = Date.parse(date ?? '');
    if (Number.isNaN(theirs)) return undefined;
    const differenceMs = theirs - this.environment.now();
    const allowedFor = this.clockOffsetMs !== undefined && !this.#isOff(differenceMs);
    return { differenceMs, allowedFor };
  }

  /** Takes over the device's clock. Returns false when it is near enough, or when the method has no clock. */
  adjustClock(date: string | undefined): boolean {
    const reading = this.readClock(date);
    if (this.settings.auth !== 'standard' || !reading || !this.#isOff(reading.differenceMs)) return false;
    this.clockOffsetMs = reading.differenceMs;
    return true;
  }

  #isOff(differenceMs: number): boolean {
    return Math.abs(differenceMs - (this.clockOffsetMs ?? 0)) > clockToleranceMs;
  }

  /** Whether signing the query (or no longer signing it) makes another request of this one. */
  canToggleQuery({ path }: WireRequest): boolean {
    return this.settings.auth === 'standard' && path.includes('?');
  }

  /** Keeps the form of signature that the device took. */
  rememberQuery(request: WireRequest, { querySigned }: Authorized): void {
    if (this.canToggleQuery(request)) this.#signsQuery = querySigned;
  }
}

/** Section 5: the name that every method of authentication uses. */
export const username = 'admin';

/** The signed fields. */
interface SignedParts {
  readonly method: string;
  /** The path exactly as it is sent, without a base path. */
  readonly uri: string;
  /** Absent without a body, and for multipart uploads. */
  readonly body?: { readonly md5: string; readonly type: string } | undefined;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** The HMAC input of section 5. It holds no secret. */
export function hmacInput({ method, uri, body, timestamp, nonce }: SignedParts): string {
  const signedBody = body ? `${body.md5}:${body.type}:` : '';
  return `${method}:${uri}:${signedBody}${timestamp}:${nonce}`;
}

/** Lowercase hex HMAC-SHA-256 of the input, the password being the key. */
export function digestOf(input: string, password: string): string {
  return createHmac('sha256', password).update(input).digest('hex');
}

/** Content-MD5 as the device wants it: lowercase hex, not base64. */
export function md5Of(body: Buffer): string {
  return createHash('md5').update(body).digest('hex');
}

let lastDate = { timestamp: Number.NaN, text: '' };

/** The `Date` header of a timestamp in epoch seconds. Thousands of readings begin in the same second. */
export function httpDate(timestamp: number): string {
  if (lastDate.timestamp !== timestamp)
    lastDate = { timestamp, text: new Date(timestamp * 1000).toUTCString() };
  return lastDate.text;
}

const nonceLength = 16;

/** Random bytes for many nonces: asking for those of one at a time costs ten times as much. */
const randomBytes = Buffer.allocUnsafeSlow(256 * nonceLength);
let usedBytes = randomBytes.length;

/** Returns a random string of 32 hex digits, new for every request. */
export function createNonce(): string {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  usedBytes += nonceLength;
  return randomBytes.toString('hex', usedBytes - nonceLength, usedBytes);
}
