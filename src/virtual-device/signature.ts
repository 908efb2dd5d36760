import { createHash } from 'node:crypto';
import {
  type Credentials,
  digestOf,
  type Lock,
  md5Of,
  readHmac,
  secondsOf,
  signedUris,
} from './authentication';
import { FACTORY_PASSWORD, USERNAME } from './choices';

/** Why a signature was refused, for the person who writes the client. Holds no password and no signature. */
export interface SignatureReport {
  /** What should have been signed; more than one where the device takes either. */
  readonly expected: readonly string[];
  /** What the request's own headers say was signed. */
  readonly implied: string;
  /** The mistake, when one that is common explains the signature. */
  readonly finding?: string;
  /** What was really signed, as that mistake has it. */
  readonly signed?: string;
  /** Seconds that the requester's clock is ahead; negative when behind; absent without a usable Date. */
  readonly clockDifference?: number;
  readonly tolerance: number;
  /** The body's MD5, as it was sent and as it is. */
  readonly md5: { readonly sent: string; readonly actual: string };
}

interface Parts {
  readonly method: string;
  readonly uri: string;
  readonly body: readonly string[];
  readonly time: number | string;
  readonly nonce: string;
}

function join({ method, uri, body, time, nonce }: Parts): string {
  return [method, uri, ...body, time, nonce].join(':');
}

/** Mistakes that clients make, each with what they sign then. */
function mistakes(right: Parts, { target, headers, body }: Credentials): readonly [string, Parts][] {
  const type = headers['content-type'] ?? '';
  const base64 = createHash('md5').update(body).digest('base64');
  const path = target.split('?', 1)[0] ?? target;
  const other = right.uri === path ? target : path;
  const origin = headers.host ?? '';
  const seconds = Number(right.time);
  return [
    ['the query was signed as well, or left out: the other way is expected', { ...right, uri: other }],
    ['the body was left out: its MD5 and type belong between path and time', { ...right, body: [] }],
    ['the MD5 was signed as base64: lowercase hexadecimal is expected', { ...right, body: [base64, type] }],
    ['the MD5 was signed without the content type', { ...right, body: right.body.slice(0, 1) }],
    ['an empty body was signed: leave it out when there is none', { ...right, body: [md5Of(body), type] }],
    ['the time was signed in milliseconds', { ...right, time: `${seconds * 1000}` }],
    ['the time was signed as the text of the Date header', { ...right, time: headers.date ?? '' }],
    ['the method was signed in lower case', { ...right, method: right.method.toLowerCase() }],
    ['the whole URL was signed: only the path is expected', { ...right, uri: `http://${origin}${target}` }],
    ['the whole URL was signed: only the path is expected', { ...right, uri: `https://${origin}${target}` }],
    [
      'the time before that of the Date header was signed: read the clock once',
      { ...right, time: seconds - 1 },
    ],
    [
      'the time after that of the Date header was signed: read the clock once',
      { ...right, time: seconds + 1 },
    ],
  ];
}

/** Looks for the mistake that explains a signature. */
function find(
  right: Parts,
  digest: string,
  credentials: Credentials,
  lock: Lock,
): [string, string] | undefined {
  const fits = (password: string, input: string) => digestOf(password, input) === digest.toLowerCase();
  const whole = join(right);
  if (fits(lock.password, whole))
    return digest === digest.toLowerCase()
      ? undefined
      : ['the signature is written in capitals: lowercase hexadecimal is expected', whole];
  if (lock.password !== FACTORY_PASSWORD && fits(FACTORY_PASSWORD, whole))
    return ['it was signed with the factory password, which is not that of this device', whole];
  for (const [finding, parts] of mistakes(right, credentials)) {
    const input = join(parts);
    if (input !== whole && fits(lock.password, input)) return [finding, input];
  }
  return undefined;
}

/** Explains why Standard authentication refused a request (section 5). */
export function explainSignature(credentials: Credentials, lock: Lock): SignatureReport {
  const { method, target, headers, body } = credentials;
  const { username, nonce, digest } = readHmac(headers.authorization ?? '');
  const timestamp = secondsOf(headers.date ?? '');
  const type = headers['content-type'] ?? '';
  const sent = headers['content-md5'];
  const isSigned = body.length > 0 && !type.startsWith('multipart/');
  const time = timestamp ?? '<time of the Date header>';
  const right = (uri: string): Parts => ({
    method,
    uri,
    body: isSigned ? [md5Of(body), type || '<content type>'] : [],
    time,
    nonce: nonce ?? '<nonce>',
  });
  const uris = signedUris(target, lock.signedUri);
  const implied = join({
    ...right(target),
    body: typeof sent === 'string' ? [sent, type] : [],
    time: timestamp ?? `<no usable Date: ${headers.date ?? 'none'}>`,
    nonce: nonce ?? '<no usable Authorization>',
  });
  const [finding, signed] =
    digest === undefined ? [] : (find(right(uris[0] ?? target), digest, credentials, lock) ?? []);
  const name =
    username !== undefined && username !== USERNAME ? `the username must be ${USERNAME}` : undefined;
  const explained = name ?? finding;
  return {
    expected: uris.map((uri) => join(right(uri))),
    implied,
    ...(explained === undefined ? {} : { finding: explained }),
    ...(signed === undefined ? {} : { signed }),
    ...(timestamp === undefined ? {} : { clockDifference: timestamp - lock.now }),
    tolerance: lock.tolerance,
    md5: { sent: typeof sent === 'string' ? sent : '', actual: md5Of(body) },
  };
}
