import { createHash, createHmac } from 'node:crypto';

/** Section 5: the name that every method of authentication uses. */
export const username = 'admin';

/** What is signed, field by field. */
export interface SignedParts {
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
