import type { Seen } from '../fixtures/client-fixture';
import { authorization } from '../fixtures/signing';

/** What the request should have been signed with, worked out again from section 5. */
export function signature(seen: Seen, uri: string, password = 'algo'): string {
  const { method, body, headers } = seen;
  const content = body.length > 0 ? { body, type: String(headers['content-type']) } : undefined;
  const seconds = Date.parse(headers.date ?? '') / 1000;
  return authorization({ method, uri, content, seconds, nonce: nonceOf(seen) }, password);
}

export function nonceOf(seen: Seen): string {
  return String(seen.headers.authorization).split(':')[1] ?? '';
}
