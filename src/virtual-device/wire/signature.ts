import { type Credentials, type Lock, readHmac, secondsOf, signedUris } from './authentication';
import { findMistake, join, type Parts } from './mistakes';

/** Why a signature was refused, for the person who writes the client. Holds no password and no signature. */
export interface SignatureReport {
  /** What should have been signed; more than one where the device takes either. */
  readonly expected: readonly string[];
  /** What the request's own headers say was signed. */
  readonly implied: string;
  /** The mistake, when one that is common explains the refusal. */
  readonly finding?: string;
  /** What was really signed, as that mistake has it. */
  readonly signed?: string;
  /** Seconds that the requester's clock is ahead; negative when behind; absent without a usable Date. */
  readonly clockDifference?: number;
  readonly tolerance: number;
  /** The body's MD5, as it was sent and as it is; empty where it is missing, or the body was not taken in. */
  readonly md5: { readonly sent: string; readonly actual: string };
}

/** Explains why Standard authentication refused a request (section 5). */
export function explainSignature(credentials: Credentials, lock: Lock): SignatureReport {
  const { method, target, headers, content } = credentials;
  const { nonce } = readHmac(headers.authorization ?? '');
  const timestamp = secondsOf(headers.date ?? '');
  const type = headers['content-type'] ?? '';
  const sent = headers['content-md5'];
  const md5 = content?.md5 ?? (typeof sent === 'string' ? sent : '<MD5 of the body>');
  const isSigned = content?.bytes !== 0 && !type.startsWith('multipart/');
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
    body: typeof sent === 'string' ? [sent, type] : [],
    time: timestamp ?? `<no usable Date: ${headers.date ?? 'none'}>`,
    nonce: nonce ?? '<no usable Authorization>',
  });
  const difference = timestamp === undefined ? undefined : timestamp - lock.now;
  const isClockOff = difference !== undefined && Math.abs(difference) >= lock.tolerance;
  return {
    expected: uris.map((uri) => join(right(uri))),
    implied,
    ...findMistake(right(uris[0] ?? target), credentials, lock, isClockOff),
    ...(difference === undefined ? {} : { clockDifference: difference }),
    tolerance: lock.tolerance,
    md5: { sent: typeof sent === 'string' ? sent : '', actual: content?.md5 ?? '' },
  };
}
