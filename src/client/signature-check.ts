import { timingSafeEqual } from 'node:crypto';
import { digestOf, hmacInput, md5Of } from './authentication';

/** A request as received. Header values have one character for each byte, as Node reads them. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, exactly as received. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** The result of a check. The check does not use up the nonce: the caller does, if it accepts the request. */
export type SignatureCheck = {
  /**
   * The clock of the sender minus the clock of this machine, in milliseconds; absent without a valid `Date`.
   */
  readonly clockOffsetMs?: number;
} & (
  | { readonly isValid: true; readonly nonce: string; readonly digest: string }
  /** The fault `clock` means that the signature is right, but its time too far away. */
  | { readonly isValid: false; readonly fault: 'signature' | 'clock' }
);

const hmacLogin = /^hmac admin:([^:\s]{1,200}):([0-9a-f]{64})$/;

const httpDateForm = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * A part that never occurs in an honest URI. Otherwise the signed text of a request with a body could pass
 * for that of a longer URI without a body.
 */
const md5InUri = /:[0-9a-f]{32}:/;

/**
 * Checks the signature of a request (section 5). The sender may have signed the URI with or without its
 * query. A body must be signed, so a multipart form needs a Content-MD5 too.
 * @param password never empty
 * @param now epoch milliseconds
 */
export function checkSignature(
  { method, target, headers, body }: ReceivedRequest,
  password: string,
  { now, toleranceMs }: { readonly now: number; readonly toleranceMs: number },
): SignatureCheck {
  const timestamp = readHttpDate(headers.date);
  if (timestamp === undefined) return { isValid: false, fault: 'signature' };
  const clockOffsetMs = timestamp * 1000 - now;
  const refuse = (fault: 'signature' | 'clock') => ({ isValid: false, fault, clockOffsetMs }) as const;
  const [, nonce, digest] = hmacLogin.exec(textOf(headers.authorization)) ?? [];
  const md5 = textOf(headers['content-md5']);
  const isCovered = md5 === '' ? body.length === 0 : md5 === md5Of(body);
  if (nonce === undefined || digest === undefined || !isCovered || md5InUri.test(target)) {
    return refuse('signature');
  }
  const signedBody = md5 === '' ? undefined : { md5, type: textOf(headers['content-type']) };
  const given = Buffer.from(digest, 'hex');
  const [path = ''] = target.split('?', 1);
  // Both digests are always calculated, so that the duration does not depend on the signature.
  const matches = [path, target].map((uri) => {
    const input = hmacInput({ method, uri, body: signedBody, timestamp, nonce });
    return timingSafeEqual(Buffer.from(digestOf(Buffer.from(input, 'latin1'), password), 'hex'), given);
  });
  if (!matches.includes(true)) return refuse('signature');
  if (Math.abs(clockOffsetMs) > toleranceMs) return refuse('clock');
  return { isValid: true, nonce, digest, clockOffsetMs };
}

/** Returns the time of a `Date` header in epoch seconds; undefined if the header is absent or invalid. */
export function readHttpDate(date: unknown): number | undefined {
  const text = textOf(date);
  const ms = httpDateForm.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

function textOf(header: unknown): string {
  return typeof header === 'string' ? header : '';
}

/** Maximum number of stored keys; each accepted request has two. */
const maxKeys = 100_000;

/**
 * The nonces of accepted requests. A nonce is accepted once in each scope. A signature is accepted once in
 * all scopes: a new receiver must not accept a request that another receiver has accepted before.
 */
export class NonceStore {
  /** The time at which each key expires, in epoch milliseconds. */
  readonly #keys = new Map<string, number>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#keys.size;
  }

  /**
   * Uses up the nonce of a valid request. Returns false for a repeated nonce or signature, and while the
   * store is full.
   * @param now epoch milliseconds
   * @param lifeMs time in milliseconds during which the nonce cannot be used again
   */
  accept(
    scope: string,
    { nonce, digest }: { readonly nonce: string; readonly digest: string },
    now: number,
    lifeMs: number,
  ): boolean {
    this.#sweep(now);
    const keys = [`nonce ${nonce} ${scope}`, `digest ${digest}`];
    if (keys.some((key) => (this.#keys.get(key) ?? Number.NEGATIVE_INFINITY) >= now)) return false;
    if (this.#keys.size >= maxKeys) return false;
    for (const key of keys) this.#keys.set(key, now + lifeMs);
    return true;
  }

  /** Removes expired keys, at most once a second. */
  #sweep(now: number): void {
    if (Math.abs(now - this.#sweptAt) < 1000) return;
    this.#sweptAt = now;
    for (const [key, until] of this.#keys) if (until < now) this.#keys.delete(key);
  }
}
