import { isIPv6 } from 'node:net';
import { isLoopback } from '../wire/host';
import { type Header, readHeaderText, type Signatory, type SignedRequest } from './header-text';
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

/** The addresses that a device may call: `loopback` for this computer only, `any` for all addresses. */
export type CallReach = 'loopback' | 'any';

export interface PreparedCall extends SignedRequest {
  readonly origin: string;
  readonly isLoopback: boolean;
  readonly headers: readonly Header[];
}

const methodPattern = /^[A-Z]{1,32}$/;

/**
 * A host with an optional scheme, an optional port and one optional slash at the end. The length is limited,
 * since a URL parser takes quadratic time for some hosts.
 */
const targetPattern = /^(?:(https?):\/\/)?([\w.:[\]%-]{1,300})\/?$/i;

/** A path without a protocol, a host, blanks, control characters and halves of characters. */
const pathPattern = /^(?!\/\/|[a-z][a-z0-9+.-]*:)[^\s\p{Cc}\p{Cs}]*$/iu;

/** @throws CallError if the call must not be sent */
export function prepareCall(call: Call, reach: CallReach, signatory: Signatory): PreparedCall {
  const { method } = call;
  const { origin, hostname } = readTarget(call.target);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (reach === 'loopback' && !isLoopback(host))
    throw refusal(
      `${host} is neither localhost nor a loopback address; a virtual device calls only this computer, unless its command line has --calls any`,
    );
  const path = absolute(call.path).replace(/[^\u0021-\u007e]+/g, encodeURIComponent);
  const body = call.payload ? Buffer.from(call.payload, 'utf8') : undefined;
  const headers = readHeaderText(call.header, { method, path, body }, signatory);
  return { origin, isLoopback: isLoopback(host), method, path, headers, body };
}

function readTarget(target: string): URL {
  const [, scheme = 'http', host = ''] = targetPattern.exec(isIPv6(target) ? `[${target}]` : target) ?? [];
  const written = `${scheme}://${host}`;
  const url = host !== '' && URL.canParse(written) ? new URL(written) : undefined;
  if (!url || url.hostname === '' || url.port === '0')
    throw refusal('the target must be a host with an optional port, after http://, https:// or nothing');
  return url;
}

export function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** The parts of a call that the log shows, with their forms. */
const shownParts = { method: methodPattern, target: targetPattern, path: pathPattern } as const;

export type ShownParts = Pick<Call, keyof typeof shownParts>;

/** Returns the method, the target and the path without its query; a part of another form as `***`. */
export function shownPartsOf<C extends object>(call: C): Pick<ShownParts, keyof C & keyof ShownParts> {
  const parts = Object.entries(shownParts).flatMap(([name, form]) => {
    const part: unknown = Reflect.get(call, name);
    if (part === undefined) return [];
    return [[name, typeof part === 'string' && form.test(part) ? part.split('?', 1)[0] : '***']];
  });
  return Object.fromEntries(parts);
}
