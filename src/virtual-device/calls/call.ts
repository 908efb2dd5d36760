import { isIPv6 } from 'node:net';
import { maxCallPartLength } from '../choices';
import { type Address, isLoopback } from './address';
import { readHeaderText, type Signatory } from './header-text';
import { refusal } from './result';

/** A request that the device sends: an entry of `api_call` (section 2.6a) or the command `call`. */
export interface Call {
  readonly method: string;
  /** Address of the called host, with an optional scheme and port. */
  readonly target: string;
  readonly path: string;
  /** Text of the HTTP headers, as in an entry of `api_call`. */
  readonly header: string;
  /** Empty or absent for a request without a body. */
  readonly payload?: string | undefined;
}

export interface PreparedCall {
  readonly origin: string;
  readonly isSecure: boolean;
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
}

/** A method in capitals. CONNECT is excluded, since CONNECT would turn the connection into a tunnel. */
const methodPattern = /^(?!CONNECT$)[A-Z]{1,32}$/;

/**
 * A host with an optional scheme, an optional port and one optional slash at the end. The length is limited,
 * since a URL parser takes quadratic time for some hosts.
 */
const targetPattern = /^(?:(https?):\/\/)?([\w.:[\]%-]{1,300})\/?$/i;

/** @throws CallError if the call must not be sent */
export function prepareCall(call: Call, signatory: Signatory): PreparedCall {
  const { method } = call;
  for (const part of ['target', 'path', 'header'] as const)
    if (call[part].length > maxCallPartLength) throw refusal(`the ${part} is too long`);
  if (!methodPattern.test(method)) throw refusal('the method is not supported');
  const url = readTarget(call.target);
  const path = readPath(call.path);
  const body = call.payload ? Buffer.from(call.payload, 'utf8') : undefined;
  const isSecure = url.protocol === 'https:';
  return {
    origin: url.origin,
    isSecure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isSecure ? 443 : 80)),
    method,
    path,
    headers: readHeaderText(call.header, { method, path, body }, signatory),
    body,
  };
}

function readTarget(target: string): URL {
  const [, scheme = 'http', host = ''] = targetPattern.exec(isIPv6(target) ? `[${target}]` : target) ?? [];
  const written = `${scheme}://${host}`;
  const url = host !== '' && URL.canParse(written) ? new URL(written) : undefined;
  if (!url || url.hostname === '' || url.port === '0')
    throw refusal('the target must be a host with an optional port, after http://, https:// or nothing');
  return url;
}

/** Returns the path as sent: with a slash at the start, and with all non-ASCII characters percent-encoded. */
function readPath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters to reject
  if (/[\u0000-\u0020\u007f]/.test(path))
    throw refusal('the path must not contain blanks or control characters');
  if (/^(?:\/\/|[a-z][a-z0-9+.-]*:)/i.test(path))
    throw refusal('the path must not contain a protocol or a host');
  const absolute = path.startsWith('/') ? path : `/${path}`;
  try {
    return absolute.replace(/[^\u0021-\u007e]+/g, encodeURIComponent);
  } catch {
    throw refusal('the path contains half of a character');
  }
}

/** The addresses that a device may call: `loopback` for this computer only, `any` for all addresses. */
export type CallReach = 'loopback' | 'any';

/**
 * Every address of the host must be permitted.
 * @throws CallError if the device must not call the host
 */
export function judgeAddresses(host: string, addresses: readonly Address[], reach: CallReach): void {
  const other = addresses.find(({ address }) => !isLoopback(address));
  if (reach === 'any' || !other) return;
  const leads = host === other.address ? host : `${host} leads to ${other.address}, which`;
  throw refusal(
    `${leads} is not a loopback address; a virtual device calls only this computer, unless its command line has --calls any`,
  );
}
