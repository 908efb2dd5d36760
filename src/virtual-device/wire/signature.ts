import { type Credentials, type Lock, readHmac, secondsOf, signedUris } from './authentication';
import { findMistake, join, type Parts } from './mistakes';

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
  /**
   * MD5 of the body: `sent` is the header Content-MD5, empty if there is no such header; `actual` is
   * calculated, empty if the body was not read.
   */
  readonly md5: { readonly sent: string; readonly actual: string };
}

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
