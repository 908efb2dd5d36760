import { isIP, isIPv4, isIPv6 } from 'node:net';
import { said } from '../catalogue/saying';
import { SaidError } from './errors';

/** Where a device is. */
export interface Endpoint {
  readonly secure: boolean;
  /** Name or IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Scheme, host and port, for example `https://10.0.0.5`. */
  readonly origin: string;
  /** What precedes every path: empty, or `/base` without a trailing slash. Sent, never signed. */
  readonly basePath: string;
  /** `origin` and `basePath`. */
  readonly url: string;
}

/**
 * Reads `host`, `host:port`, `[v6]:port`, a bare IPv6 address or a URL; https unless it begins with `http://`.
 * @throws Error whose message says what is wrong with the address, without repeating a password in it.
 */
export function parseAddress(address: string): Endpoint {
  const text = address.trim();
  if (text === '') throw new SaidError(said('noAddress'));
  if (/[\s\\]|\p{Cc}/u.test(text)) throw new SaidError(said('addressBlank'));
  if (/^(?:[a-z][a-z0-9+.-]*:\/*)?[^/?#]*@/i.test(text)) {
    throw new SaidError(said('addressUser'));
  }
  const url = toUrl(text);
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new SaidError(said('addressQuery'));
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(host) && !text.includes(host)) {
    throw new SaidError(said('addressOctal', { address: text, host }));
  }
  const secure = url.protocol === 'https:';
  const basePath = withoutLastSlashes(url.pathname);
  const port = Number(url.port) || (secure ? 443 : 80);
  return { secure, host, port, origin: url.origin, basePath, url: `${url.origin}${basePath}` };
}

function withoutLastSlashes(path: string): string {
  let length = path.length;
  while (path[length - 1] === '/') length -= 1;
  return path.slice(0, length);
}

function toUrl(text: string): URL {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    throw new SaidError(said('addressScheme', { scheme }));
  }
  if (scheme === undefined && /^https?:/i.test(text)) {
    throw new SaidError(said('addressSlashes'));
  }
  const withScheme = scheme === undefined ? `https://${isIPv6(text) ? `[${text}]` : text}` : text;
  try {
    return new URL(withScheme);
  } catch {
    throw new SaidError(said('addressUnreadable'));
  }
}

/** The name for SNI: none for IP addresses, which TLS does not allow there. */
export function serverNameOf(host: string): string | undefined {
  return isIP(host) === 0 ? host : undefined;
}
