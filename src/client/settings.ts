import { isIPv4, isIPv6 } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { fingerprintOf } from '../catalogue/fingerprint';
import { localized, type Text } from '../catalogue/localized-message';
import type { Reason } from '../catalogue/reasons';
import { DeviceError, LocalizedError, messageOf } from './errors';

export interface Endpoint {
  readonly secure: boolean;
  /** Host name or IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Scheme, host and port, without the default port of the scheme, for example `https://10.0.0.5`. */
  readonly origin: string;
  /** Prefix of every path: empty, or `/base` without a trailing slash. The prefix is sent but not signed. */
  readonly basePath: string;
  readonly url: string;
}

/**
 * Maximum length of a text that a URL parser gets. The parser takes quadratic time for some hosts: tens of
 * milliseconds for 16 KiB.
 */
export const maxUrlLength = 2_048;

/**
 * Parses `host`, `host:port`, `[v6]:port`, a bare IPv6 address or a URL. The scheme is https unless the
 * address starts with `http://`.
 * @throws Error whose message explains the mistake without repeating a password
 */
export function parseAddress(address: string): Endpoint {
  const text = address.trim();
  if (text === '') throw new LocalizedError(localized('noAddress'));
  if (text.length > maxUrlLength) throw new LocalizedError(localized('addressUnreadable'));
  if (/[\s\\]|\p{Cc}/u.test(text)) throw new LocalizedError(localized('addressBlank'));
  if (/^(?:[a-z][a-z0-9+.-]*:\/*|https?\/+)?[^/?#]*@/i.test(text)) {
    throw new LocalizedError(localized('addressUser'));
  }
  const url = toUrl(text);
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new LocalizedError(localized('addressQuery'));
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(host) && !text.includes(host)) {
    throw new LocalizedError(localized('addressOctal', { address: text, host }));
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
    throw new LocalizedError(localized('addressScheme', { scheme }));
  }
  if (scheme === undefined && /^https?:/i.test(text)) {
    throw new LocalizedError(localized('addressSlashes'));
  }
  const withScheme = scheme === undefined ? `https://${isIPv6(text) ? `[${text}]` : text}` : text;
  try {
    return new URL(withScheme);
  } catch {
    throw new LocalizedError(localized('addressUnreadable'));
  }
}

/** Returns the URL of the same host, port and path with another scheme. */
export function urlWithScheme(scheme: 'http' | 'https', { origin, port, basePath }: Endpoint): string {
  const isDefault = port === (scheme === 'https' ? 443 : 80);
  return `${scheme}://${new URL(origin).hostname}${isDefault ? '' : `:${port}`}${basePath}`;
}

export interface DeviceSettings {
  readonly name: string;
  /** An address that `parseAddress` accepts, such as `host:port` or a URL. */
  readonly address: string;
  readonly auth: 'standard' | 'basic' | 'none';
  readonly password?: string;
  /**
   * `verify`: trust the certificate authorities. `pin`: trust one certificate. `any`: trust every
   * certificate.
   */
  readonly certificate: 'verify' | 'pin' | 'any';
  /** SHA-256 fingerprint of the pinned certificate, in any form that `fingerprintOf` reads. */
  readonly fingerprint?: string;
  /**
   * Options from a tls-config node of Node-RED. The option `rejectUnauthorized` is ignored, since
   * `certificate` decides.
   */
  readonly tls?: ConnectionOptions;
  /** Time limit for connecting, and a separate limit of the same length for the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the device is a simulation on this computer, whose traffic no one else can read. */
  readonly isVirtual?: true;
}

/** @throws DeviceError NOT_CONFIGURED (docs/contract.md 2.1) */
export function checkSettings(settings: DeviceSettings): Endpoint {
  try {
    const endpoint = parseAddress(settings.address);
    const fault = faultIn(settings, endpoint);
    if (fault) throw new LocalizedError(localized(fault));
    return endpoint;
  } catch (error) {
    throw unusable(settings.name, messageOf(error));
  }
}

function faultIn(settings: DeviceSettings, { secure }: Endpoint): Reason | undefined {
  const { auth, password, certificate, fingerprint = '', timeoutMs } = settings;
  if (auth !== 'none' && !password) return 'noPassword';
  if (certificate === 'pin' && fingerprintOf(fingerprint) === '') return 'fingerprintWrong';
  if (certificate === 'pin' && !secure) return 'pinnedPlain';
  return timeoutMs > 0 ? undefined : 'limitTooShort';
}

export function unusable(name: string, reason: Text): DeviceError {
  return new DeviceError('NOT_CONFIGURED', reason, { place: name === '' ? undefined : `"${name}"` });
}
