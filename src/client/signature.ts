import { createHash, createHmac } from 'node:crypto';

/** The user name of every authentication method (section 5). */
export const username = 'admin';

/** The parts of a request that the signature covers. */
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

/** Returns the HMAC input of section 5, which holds no secret. */
export function hmacInput({ method, uri, body, timestamp, nonce }: SignedParts): string {
  const signedBody = body ? `${body.md5}:${body.type}:` : '';
  return `${method}:${uri}:${signedBody}${timestamp}:${nonce}`;
}

/** Returns the HMAC-SHA-256 of the input in lowercase hex; the password is the key. */
export function digestOf(input: string, password: string): string {
  return createHmac('sha256', password).update(input).digest('hex');
}

/** Returns the Content-MD5 in the form that the device expects: lowercase hex, not base64. */
export function md5Of(body: Buffer): string {
  return createHash('md5').update(body).digest('hex');
}

let lastDate = { timestamp: Number.NaN, text: '' };

/**
 * Returns the `Date` header of a timestamp in epoch seconds. Caches the last text, since thousands of polls
 * start in the same second.
 */
export function httpDate(timestamp: number): string {
  if (lastDate.timestamp !== timestamp)
    lastDate = { timestamp, text: new Date(timestamp * 1000).toUTCString() };
  return lastDate.text;
}
