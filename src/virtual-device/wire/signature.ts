import { adminName, factoryPassword } from '../choices';
import {
  type Credentials,
  digestOf,
  type Lock,
  md5Of,
  readHmac,
  secondsOf,
  signedUris,
} from './authentication';

/** The explanation of a rejected signature for developers of a client, without password and signature. */
export interface SignatureReport {
  /** The signed texts that the device accepts: two texts if the device accepts both forms of the URI. */
  readonly expected: readonly string[];
  /** The signed text according to the headers of the request. */
  readonly implied: string;
  readonly finding?: string;
  /** The text that a client with the mistake in `finding` signs; absent if unknown. */
  readonly signed?: string;
  /** The client's clock minus the device's clock, in seconds; absent if there is no valid `Date`. */
  readonly clockDifference?: number;
  readonly tolerance: number;
  /** MD5 of the body: `sent` is the header Content-MD5, empty if there is no such header. */
  readonly md5: { readonly sent: string; readonly actual: string };
}

interface Parts {
  readonly method: string;
  readonly uri: string;
  readonly body: readonly string[];
  readonly time: number | string;
  readonly nonce: string;
}

type Mistake = Pick<SignatureReport, 'finding' | 'signed'>;

export function explainSignature(credentials: Credentials, lock: Lock): SignatureReport {
  const { method, target, headers, body } = credentials;
  const nonce = readHmac(headers)?.nonce;
  const timestamp = secondsOf(headers.date ?? '');
  const type = headers['content-type'] ?? '';
  const { 'content-md5': sent = '' } = headers;
  const md5 = md5Of(body);
  const isSigned = body.length > 0 && !type.startsWith('multipart/');
  const right = (uri: string): Parts => ({
    method,
    uri,
    body: isSigned ? [md5, type || '<content type>'] : [],
    time: timestamp ?? '<time of the Date header>',
    nonce: nonce ?? '<nonce>',
  });
  const uris = signedUris(target, lock.signedUri);
  const implied = join({
    ...right(target),
    body: sent === '' ? [] : [String(sent), type],
    time: timestamp ?? `<no usable Date: ${headers.date ?? 'none'}>`,
    nonce: nonce ?? '<no usable Authorization>',
  });
  const difference = timestamp === undefined ? undefined : timestamp - lock.now;
  return {
    expected: uris.map((uri) => join(right(uri))),
    implied,
    ...findMistake(right(uris[0] ?? target), md5, credentials, lock),
    ...(difference === undefined ? {} : { clockDifference: difference }),
    tolerance: lock.tolerance,
    md5: { sent: String(sent), actual: md5 },
  };
}

function join({ method, uri, body, time, nonce }: Parts): string {
  return [method, uri, ...body, time, nonce].join(':');
}

/** Finds the five common mistakes, as far as the signature proves them: password, clock, URI, MD5 and type. */
function findMistake(right: Parts, md5: string, credentials: Credentials, lock: Lock): Mistake {
  const hmac = readHmac(credentials.headers);
  if (!hmac) return {};
  if (hmac.username !== adminName) return { finding: `the username must be ${adminName}` };
  const isSigned = (text: string, password = lock.password) => digestOf(password, text) === hmac.digest;
  const signed = join(right);
  if (isSigned(signed)) return mistakeInHeaders(right, credentials, lock, signed);
  if (isSigned(signed, factoryPassword))
    return { finding: 'it was signed with the factory password, which is not that of this device', signed };
  for (const [finding, changes] of otherParts(right, md5, credentials, lock)) {
    const other = changes.map((change) => join({ ...right, ...change })).find((text) => isSigned(text));
    if (other !== undefined) return { finding, signed: other };
  }
  return {};
}

function mistakeInHeaders(
  { body }: Parts,
  { headers }: Credentials,
  { now, tolerance }: Lock,
  signed: string,
): Mistake {
  const away = Math.abs((secondsOf(headers.date ?? '') ?? now) - now);
  if (away >= tolerance)
    return { finding: 'the signature is right, only the clocks are too far apart', signed };
  if (body.length === 0 || body[0] === headers['content-md5']) return {};
  const finding = 'the signature is right, only the header Content-MD5 is missing or another one';
  return { finding, signed };
}

/** Returns the parts that a client can sign instead, by the sentence that explains the mistake. */
function otherParts(
  { uri, body }: Parts,
  md5: string,
  { target, headers }: Credentials,
  { signedUri }: Lock,
): readonly [finding: string, changes: readonly Partial<Parts>[]][] {
  const { host = '', 'content-type': type = '', 'content-md5': sent = '' } = headers;
  const [path = target] = target.split('?', 1);
  const [media = ''] = type.split(';', 1);
  const uris = [path, target, unescaped(uri), `http://${host}${target}`, `https://${host}${target}`];
  const sums = [Buffer.from(md5, 'hex').toString('base64'), md5.toUpperCase(), String(sent)];
  const query = signedUri === 'target' ? 'with its query' : 'without its query';
  return [
    [
      `another URI was signed: the path is expected as it is sent, ${query}`,
      uris.map((other) => ({ uri: other })),
    ],
    [
      'another MD5 was signed, or none: that of the bytes that are sent is expected, in lowercase hexadecimal',
      body.length === 0 ? [] : [{ body: [] }, ...sums.map((sum) => ({ body: [sum, type] }))],
    ],
    [
      'another content type was signed, or none: that of the header is expected as it is sent',
      body.length === 0 ? [] : [{ body: [md5] }, { body: [md5, media] }],
    ],
  ];
}

/** Returns a path without percent-encoding, with a character for each byte, as signed texts are written. */
function unescaped(uri: string): string {
  try {
    return Buffer.from(decodeURIComponent(uri)).toString('latin1');
  } catch {
    return uri;
  }
}
