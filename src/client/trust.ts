import type { PeerCertificate, TLSSocket } from 'node:tls';
import { Failure } from './failure';
import { normalFingerprint } from './settings';

/** Whom to believe that they are the device. */
export interface Trust {
  readonly certificate: 'verify' | 'pin' | 'any';
  readonly fingerprint: string;
}

const reasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that is not known here',
  CERT_REVOKED: 'has been revoked',
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
  if (seen === undefined) return Failure.own('UNTRUSTED', 'it showed no certificate');
  if (trust.certificate === 'pin') return findChange(seen, trust.fingerprint);
  if (socket.authorized) return undefined;
  return Failure.own(
    'UNTRUSTED',
    `its certificate ${reasonOf(socket, certificate)}. The SHA-256 fingerprint seen is ${seen}. ` +
      'If this is the right device, choose "pin" with this fingerprint, or give its authority in a TLS configuration',
  );
}

function findChange(seen: string, pinned: string): Failure | undefined {
  if (normalFingerprint(seen) === normalFingerprint(pinned)) return undefined;
  return Failure.own(
    'UNTRUSTED',
    `its certificate has changed, it is not the pinned one. The SHA-256 fingerprint seen is ${seen}. ` +
      'If the device was replaced or reset, enter this fingerprint; otherwise somebody may be in between',
  );
}

function reasonOf(socket: TLSSocket, certificate: PeerCertificate): string {
  const code = String(socket.authorizationError);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `is made out to another name (${certificate.subjectaltname ?? String(certificate.subject.CN)})`;
  }
  const dates = reasonInDates(certificate);
  const reason = reasons[code];
  if (reason && dates) return `${reason} and ${dates}`;
  return dates ?? reason ?? `is not trusted (${code})`;
}

/** OpenSSL reports one reason only; a self-signed certificate can have expired as well. */
function reasonInDates({ valid_from, valid_to }: PeerCertificate): string | undefined {
  if (Date.parse(valid_to) < Date.now()) return `has expired (${valid_to})`;
  if (Date.parse(valid_from) > Date.now()) {
    return `is not valid yet (from ${valid_from}; is the clock of this machine right?)`;
  }
  return undefined;
}
