import tls, { type ConnectionOptions, type DetailedPeerCertificate } from 'node:tls';
import { openSocket, prepareTls } from '../../client/http/socket';
import { Abort } from '../../client/queue/entry';
import type { Endpoint } from '../../client/settings';
import type { ShownCertificate } from '../answers';

const maxTextLength = 300;

/** @throws Error if the connection fails, or if the server does not use TLS */
export async function lookAtCertificate(
  endpoint: Endpoint,
  options: ConnectionOptions,
  limitMs: number,
): Promise<ShownCertificate> {
  const target = {
    endpoint,
    trust: { certificate: 'any', fingerprint: '' },
    tls: prepareTls(options),
  } as const;
  const socket = await openSocket(target, limitMs, new Abort());
  try {
    if (!(socket instanceof tls.TLSSocket)) throw new Error('the device does not use TLS on this port');
    return shown(socket.getPeerCertificate());
  } finally {
    socket.destroy();
  }
}

function shown(certificate: Partial<DetailedPeerCertificate>): ShownCertificate {
  const { fingerprint256 = '', subject, issuer, subjectaltname, valid_from, valid_to } = certificate;
  return {
    fingerprint: fingerprint256,
    subject: partsOf(subject),
    issuer: partsOf(issuer),
    names: textOf(subjectaltname),
    from: momentOf(valid_from),
    until: momentOf(valid_to),
  };
}

/** A subject or an issuer can have several common names (`CN`) and several organizations (`O`). */
function partsOf(name: object | undefined): string {
  const { CN, O: organization } = Object(name) as Record<string, unknown>;
  return textOf([CN, organization].flat().filter(Boolean).join(', '));
}

/**
 * Converts a time such as OpenSSL's `Nov 23 15:49:36 2026 GMT` to ISO 8601. Returns any other text, shortened
 * to `maxTextLength`.
 */
function momentOf(value: unknown): string {
  const moment = new Date(textOf(value));
  return Number.isNaN(moment.getTime()) ? textOf(value) : moment.toISOString();
}

function textOf(value: unknown): string {
  return String(value ?? '').slice(0, maxTextLength);
}
