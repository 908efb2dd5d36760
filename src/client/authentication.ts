import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Clock } from '../kernel/time/clock';
import type { WireRequest } from './call';
import type { DeviceSettings } from './settings';

/**
 * Maximum difference between the device's clock and the clock that the signatures use, in milliseconds. A
 * larger difference is corrected.
 */
const clockToleranceMs = 5_000;

export interface Signatory extends Pick<Clock, 'now'> {
  /** Returns a nonce without a colon, different for every request. */
  nonce(): string;
}

export interface Authorized {
  readonly headers: Readonly<Record<string, string>>;
  shown(): string;
  readonly querySigned: boolean;
}

export interface ClockReading {
  /** The device's clock minus the clock of this machine, in milliseconds. */
  readonly differenceMs: number;
  /** Whether the refused request was already signed with the device's time. */
  readonly usesDeviceTime: boolean;
}

const md5s = new WeakMap<WireRequest, string>();

/** The MD5 is memoized, since a large body can go to hundreds of devices. */
function md5OfBody(request: WireRequest, body: Buffer): string {
  const known = md5s.get(request);
  if (known !== undefined) return known;
  const md5 = md5Of(body);
  md5s.set(request, md5);
  return md5;
}

export class Authentication {
  /**
   * The device's clock minus the clock of this machine, in milliseconds; undefined until a refused request
   * showed a difference above `clockToleranceMs`.
   */
  clockOffsetMs: number | undefined;
  #signsQuery = false;

  constructor(
    private readonly settings: Pick<DeviceSettings, 'auth' | 'password'>,
    private readonly environment: Signatory,
  ) {}

  authorize(request: WireRequest, querySigned = this.#signsQuery): Authorized {
    const plain: Record<string, string> = request.contentType ? { 'Content-Type': request.contentType } : {};
    const password = this.settings.password ?? '';
    if (this.settings.auth === 'none') {
      return { headers: plain, shown: () => 'no authentication', querySigned };
    }
    if (this.settings.auth === 'basic') {
      const encoded = Buffer.from(`${username}:${password}`).toString('base64');
      const headers = { ...plain, Authorization: `Basic ${encoded}` };
      return { headers, shown: () => 'Basic authentication', querySigned };
    }
    return this.#sign(request, plain, password, querySigned);
  }

  /** Changes `headers`, so the caller must pass a new object for each request. */
  #sign(
    request: WireRequest,
    headers: Record<string, string>,
    password: string,
    querySigned: boolean,
  ): Authorized {
    const { method, path, body, contentType, signBody = true } = request;
    // The `Date` header and the signed text use the same number of seconds.
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
    return { headers, shown, querySigned };
  }

  /**
   * Compares the device's clock in the `Date` header of an answer with the clock of this machine; undefined
   * if the header is absent or invalid.
   */
  readClock(date: string | undefined): ClockReading | undefined {
    const theirs = Date.parse(date ?? '');
    if (Number.isNaN(theirs)) return undefined;
    const differenceMs = theirs - this.environment.now();
    const usesDeviceTime = this.clockOffsetMs !== undefined && !this.#isOff(differenceMs);
    return { differenceMs, usesDeviceTime };
  }

  /**
   * Adopts the device's clock for later signatures. Returns false if the authentication is not Standard, if
   * there is no valid `Date` header, or if the clock that the signatures use is within `clockToleranceMs` of
   * the device's clock.
   */
  adjustClock(date: string | undefined): boolean {
    const reading = this.readClock(date);
    if (this.settings.auth !== 'standard' || !reading || !this.#isOff(reading.differenceMs)) return false;
    this.clockOffsetMs = reading.differenceMs;
    return true;
  }

  #isOff(differenceMs: number): boolean {
    return Math.abs(differenceMs - (this.clockOffsetMs ?? 0)) > clockToleranceMs;
  }

  canToggleQuery({ path }: WireRequest): boolean {
    return this.settings.auth === 'standard' && path.includes('?');
  }

  /**
   * Remembers whether the signature of an accepted request included the query, so that later signatures do
   * the same.
   */
  rememberQuery(request: WireRequest, { querySigned }: Authorized): void {
    if (this.canToggleQuery(request)) this.#signsQuery = querySigned;
  }
}

export const username = 'admin';

interface SignedParts {
  readonly method: string;
  /** The signed path: without the base path, with the query only if the query is signed. */
  readonly uri: string;
  /** MD5 hash and content type of the body; absent if the signature covers no body. */
  readonly body?: { readonly md5: string; readonly type: string } | undefined;
  /** Time of the signature in epoch seconds. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** Returns the text that the HMAC covers (section 5), which contains no secret. */
export function hmacInput({ method, uri, body, timestamp, nonce }: SignedParts): string {
  const signedBody = body ? `${body.md5}:${body.type}:` : '';
  return `${method}:${uri}:${signedBody}${timestamp}:${nonce}`;
}

export function digestOf(input: string | Buffer, password: string): string {
  return createHmac('sha256', password).update(input).digest('hex');
}

/** Returns the Content-MD5 in the form that the device expects: lowercase hex, not base64. */
export function md5Of(body: Buffer): string {
  return createHash('md5').update(body).digest('hex');
}

let lastDate = { timestamp: Number.NaN, text: '' };

/**
 * Returns the `Date` header of a timestamp in epoch seconds. The last text is cached, since thousands of
 * polls start in the same second.
 */
function httpDate(timestamp: number): string {
  if (lastDate.timestamp !== timestamp)
    lastDate = { timestamp, text: new Date(timestamp * 1000).toUTCString() };
  return lastDate.text;
}

/** Returns 32 hex digits, different at every call. */
export function createNonce(): string {
  return randomUUID().replaceAll('-', '');
}
