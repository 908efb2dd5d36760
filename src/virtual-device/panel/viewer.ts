import type { IncomingMessage } from 'node:http';

export interface Viewer {
  readonly mayChange: boolean;
  /** Whether the user still has the permission to read; checked at each heartbeat of a stream. */
  mayRead(): boolean;
}

/** The viewer of a panel that the command line serves. Such a panel has no login. */
export const anyViewer: Viewer = { mayChange: true, mayRead: () => true };

/**
 * Headers of the panel: no content from another host, no inline scripts, and no frame on a page of another
 * host (clickjacking).
 */
export const panelHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/**
 * Whether a page of another site sent the request. A GET request without an origin is a link or embedded
 * content, such as an image, whose answer the other page cannot read.
 */
export function isOfOtherSite({ method, headers }: IncomingMessage): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (method !== 'POST' && origin === undefined) return false;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  // The texts are compared, since a URL parser takes quadratic time for some hosts.
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}
