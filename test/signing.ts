import { createHash, createHmac } from 'node:crypto';

/** What Standard authentication signs (section 5). */
export interface Signed {
  readonly method: string;
  /** The path, without the query. */
  readonly uri: string;
  /** Absent where nothing is sent, and for a multipart form. */
  readonly content?: { readonly body: string | Buffer; readonly type: string } | undefined;
  /** Of the Date header, since the epoch. */
  readonly seconds: number;
  readonly nonce: string;
}

/** Lowercase hexadecimal MD5, as the Content-MD5 header wants it (section 5). */
export const md5 = (body: string | Buffer): string => createHash('md5').update(body).digest('hex');

/** Lowercase hexadecimal HMAC-SHA-256 of the parts of section 5, joined by colons. */
export const hmac = (key: string, parts: readonly string[]): string =>
  createHmac('sha256', key).update(parts.join(':')).digest('hex');

/** The Authorization header of a request, worked out by hand: the product's own code has no part in it. */
export function authorization(
  { method, uri, content, seconds, nonce }: Signed,
  password: string,
  user = 'admin',
): string {
  const middle = content ? [md5(content.body), content.type] : [];
  return `hmac ${user}:${nonce}:${hmac(password, [method, uri, ...middle, String(seconds), nonce])}`;
}
