import { createHash, createHmac } from 'node:crypto';
import type { Seen } from './bench';

/** What the request should have been signed with, worked out anew from section 5. */
export function signature(seen: Seen, uri: string, password = 'algo'): string {
  const nonce = nonceOf(seen);
  const timestamp = Date.parse(seen.headers.date ?? '') / 1000;
  const md5 = createHash('md5').update(seen.body).digest('hex');
  const input =
    seen.body.length > 0
      ? `${seen.method}:${uri}:${md5}:${seen.headers['content-type']}:${timestamp}:${nonce}`
      : `${seen.method}:${uri}:${timestamp}:${nonce}`;
  return `hmac admin:${nonce}:${createHmac('sha256', password).update(input).digest('hex')}`;
}

export function nonceOf(seen: Seen): string {
  return String(seen.headers.authorization).split(':')[1] ?? '';
}
