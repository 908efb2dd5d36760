import { timingSafeEqual } from 'node:crypto';
import { digestOf, hmacInput, md5Of } from './authentication';

/** A received request. Header values have one character for each byte, as Node reads the headers. */
export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

export interface Signature {
  readonly nonce: string;
  readonly digest: string;
  /** The time of the signature, in epoch milliseconds. */
  readonly signedAt: number;
}

/** The result of `checkSignature`. Only `NonceStore.accept` marks the nonce as used. */
export type SignatureCheck = {
  /**
   * The clock of the sender minus the clock of this machine, in milliseconds; absent if the request has no
   * valid `Date`.
   */
  readonly clockOffsetMs?: number;
} & (
  | ({ readonly isValid: true } & Signature)
  /** `clock`: the digest is correct, but the signing time is outside the tolerance. */
  | { readonly isValid: false; readonly fault: 'signature' | 'clock' }
);

const hmacLogin = /^hmac admin:([^:\s]{1,200}):([0-9a-f]{64})$/;

const httpDateForm = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Matches an MD5 hash in a URI or in a Content-Type. A request with such a hash is rejected, since its signed
 * text could also be that of another request: of a shorter URI with a body, or of a longer URI with another
 * body.
 */
const containedMd5 = /:[0-9a-f]{32}:/;

/**
 * Checks the signature of a request (section 5), which can cover the URI with or without its query. A body
 * must be signed, so a multipart form needs a Content-MD5 too.
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
  const type = textOf(headers['content-type']);
  const isCovered = md5 === '' ? body.length === 0 : md5 === md5Of(body);
  const isAmbiguous = containedMd5.test(target) || containedMd5.test(`:${type}`);
  if (nonce === undefined || digest === undefined || !isCovered || isAmbiguous) return refuse('signature');
  const signedBody = md5 === '' ? undefined : { md5, type };
  const given = Buffer.from(digest, 'hex');
  const [path = ''] = target.split('?', 1);
  // The digests of both URIs are always calculated, so that the duration does not depend on the signature.
  const matches = [...new Set([path, target])].map((uri) => {
    const input = hmacInput({ method, uri, body: signedBody, timestamp, nonce });
    return timingSafeEqual(Buffer.from(digestOf(Buffer.from(input, 'latin1'), password), 'hex'), given);
  });
  if (!matches.includes(true)) return refuse('signature');
  if (Math.abs(clockOffsetMs) > toleranceMs) return refuse('clock');
  return { isValid: true, nonce, digest, signedAt: timestamp * 1000, clockOffsetMs };
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

/** Maximum tolerance of a receiver, in milliseconds. */
export const maxToleranceMs = 3_600_000;

/**
 * Time for which an accepted signature is stored, in milliseconds: twice the maximum tolerance, since a deploy
 * can raise the tolerance.
 */
const keepMs = 2 * maxToleranceMs;

/** Maximum number of stored signatures and nonces together. */
const maxKept = 200_000;

/** Arrival of a request in epoch milliseconds, and the receiver's tolerance in milliseconds. */
interface Arrival {
  readonly now: number;
  readonly toleranceMs: number;
}

/**
 * The signatures of accepted requests. A receiver accepts a nonce only once within twice its tolerance. All
 * receivers together accept a signature once, because a new receiver must not accept an earlier request
 * again.
 */
export class NonceStore {
  /** Each digest, and each nonce with its receiver, with arrival and signing time; the earliest arrival first. */
  readonly #used = new Map<string, { readonly at: number; readonly signedAt: number }>();
  /** Latest signing time of a signature that was removed for lack of space, in epoch milliseconds. */
  #evictedUntil = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#used.size;
  }

  /**
   * Marks the nonce of a valid request as used. Returns false if the request might be a repetition.
   * @param receiver decoded path of the receiver
   */
  accept(receiver: string, { nonce, digest, signedAt }: Signature, { now, toleranceMs }: Arrival): boolean {
    this.#sweep(now);
    const key = `${nonce} ${receiver}`;
    const before = this.#used.get(key);
    if (this.#used.has(digest) || (before && now - before.at <= 2 * toleranceMs)) return false;
    // A limit far in the future means that the clock of this machine was set back, so the limit is ignored.
    if (signedAt <= this.#evictedUntil && this.#evictedUntil <= now + maxToleranceMs) return false;
    this.#used.delete(key);
    this.#used.set(digest, { at: now, signedAt }).set(key, { at: now, signedAt });
    return true;
  }

  #sweep(now: number): void {
    for (const [key, { at, signedAt }] of this.#used) {
      const isOld = now - at > keepMs;
      if (!isOld && this.#used.size + 2 <= maxKept) return;
      if (!isOld) this.#evictedUntil = Math.max(this.#evictedUntil, signedAt);
      this.#used.delete(key);
    }
  }
}
