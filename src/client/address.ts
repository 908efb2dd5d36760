import { isIP, isIPv4, isIPv6 } from 'node:net';

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
  if (text === '') throw new Error('it has no address');
  if (/[\s\\]|\p{Cc}/u.test(text)) throw new Error('its address contains a space or a backslash');
  if (/^(?:[a-z][a-z0-9+.-]*:\/*)?[^/?#]*@/i.test(text)) {
    throw new Error('its address contains user info; the password has a field of its own');
  }
  const url = toUrl(text);
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new Error('its address contains a query or a fragment');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(host) && !text.includes(host)) {
    throw new Error(
      `its address "${text}" reads as ${host}; write the IP address in full, without leading zeros`,
    );
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
    throw new Error(`its address begins with ${scheme}://; it may begin with https:// or http://`);
  }
  if (scheme === undefined && /^https?:/i.test(text)) {
    throw new Error('its address lacks the two slashes of https:// or http://');
  }
  const withScheme = scheme === undefined ? `https://${isIPv6(text) ? `[${text}]` : text}` : text;
  try {
    return new URL(withScheme);
  } catch {
    throw new Error(
      'its address cannot be read; write a host, host:port, [IPv6]:port or a URL that begins with https:// or http://',
    );
  }
}

/** The name for SNI: none for IP addresses, which TLS does not allow there. */
export function serverNameOf(host: string): string | undefined {
  return isIP(host) === 0 ? host : undefined;
}
