import type { PeerCertificate, TLSSocket } from 'node:tls';
import { fingerprintOf } from '../catalogue/fingerprint';
import type { Reason } from '../catalogue/reasons';
import { said, type Text } from '../catalogue/saying';
import { Failure } from './failure';

/** Whom to believe that they are the device. */
export interface Trust {
  readonly certificate: 'verify' | 'pin' | 'any';
  readonly fingerprint: string;
}

const reasons: Readonly<Record<string, Reason>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknownAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknownAuthority',
  CERT_REVOKED: 'revoked',
};

/**
 * Judges a finished TLS handshake, before a byte of a request is sent. The handshake itself accepts every
 * certificate, so that the refusal can show the fingerprint.
 * @returns undefined when the other side is trusted
 */
export function findDistrust(socket: TLSSocket, trust: Trust): Failure | undefined {
  if (trust.certificate === 'any') return undefined;
  const certificate = socket.getPeerCertificate();
  const seen = certificate.fingerprint256;
  if (seen === undefined) return Failure.own('UNTRUSTED', said('noCertificate'));
  if (trust.certificate === 'pin') return findChange(seen, trust.fingerprint);
  if (socket.authorized) return undefined;
  return Failure.own(
    'UNTRUSTED',
    said('untrusted', { reason: reasonOf(socket, certificate), fingerprint: seen }),
  );
}

function findChange(seen: string, pinned: string): Failure | undefined {
  const digits = fingerprintOf(pinned);
  if (digits !== '' && fingerprintOf(seen) === digits) return undefined;
  return Failure.own('UNTRUSTED', said('pinChanged', { fingerprint: seen }));
}

function reasonOf(socket: TLSSocket, certificate: PeerCertificate): Text {
  const code = String(socket.authorizationError);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return said('otherName', { names: certificate.subjectaltname ?? String(certificate.subject.CN) });
  }
  const dates = reasonInDates(certificate);
  const reason = reasons[code];
  if (reason && dates) return said('both', { first: said(reason), second: dates });
  return dates ?? (reason ? said(reason) : said('notTrusted', { code }));
}

/** OpenSSL reports one reason only; a self-signed certificate can have expired as well. */
function reasonInDates({ valid_from, valid_to }: PeerCertificate): Text | undefined {
  if (Date.parse(valid_to) < Date.now()) return said('hasExpired', { date: valid_to });
  if (Date.parse(valid_from) > Date.now()) return said('notValidYet', { date: valid_from });
  return undefined;
}
