import net from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import tls from 'node:tls';
import { fingerprintOf } from '../../catalogue/fingerprint';
import { localized, type Text } from '../../catalogue/localized-message';
import type { Reason } from '../../catalogue/reasons';
import { Deadline } from '../../kernel/time/deadline';
import { wordsOf } from '../errors';
import { Failure } from '../failure';
import type { Abort } from '../queue/entry';
import type { Endpoint } from '../settings';

export interface Target {
  readonly endpoint: Endpoint;
  readonly trust: Trust;
  readonly tls: tls.ConnectionOptions;
}

/**
 * Connects, and for https checks the certificate before any byte of a request is written.
 * @param timeoutMs time limit for connecting and TLS together, in milliseconds
 * @throws Failure; no socket is left open then
 */
export function openSocket(target: Target, timeoutMs: number, abort: Abort): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    if (abort.reason) return reject(abort.reason);
    let failure: Failure | undefined;
    const { secure } = target.endpoint;
    const connected = secure ? 'secureConnect' : 'connect';
    const socket = secure ? startTls(target) : startPlain(target.endpoint);
    const fail = (reason: Failure) => {
      failure ??= reason;
      socket.destroy();
    };
    const onError = (error: Error) => fail(Failure.of(error));
    const onClose = () => settle(() => reject(failure ?? Failure.own('CONNECTION_GONE', 'it was closed')));
    const onLimit = () => {
      const code = secure && !socket.connecting ? 'HANDSHAKE_TIMEOUT' : 'CONNECT_TIMEOUT';
      fail(Failure.own(code, localized('noConnectionInTime')));
    };
    const limit = new Deadline(onLimit, timeoutMs);
    const settle = (finish: () => void) => {
      limit.clear();
      abort.setListener(undefined);
      socket.off('error', onError);
      socket.off('close', onClose);
      socket.off(connected, onConnected);
      finish();
    };
    const onConnected = () => {
      if (failure) return;
      const distrust = socket instanceof tls.TLSSocket ? findDistrust(socket, target.trust) : undefined;
      if (distrust) return fail(distrust);
      settle(() => resolve(socket));
    };
    abort.setListener(fail);
    socket.on('error', giveUp);
    socket.on('error', onError);
    socket.on('close', onClose);
    socket.on(connected, onConnected);
  });
}

/** Tests whether a server expects TLS. The handshake accepts every certificate, since no request is sent. */
export async function speaksTls(endpoint: Endpoint, timeoutMs: number, abort: Abort): Promise<boolean> {
  const trust = { certificate: 'any', fingerprint: '' } as const;
  try {
    const socket = await openSocket(
      { endpoint: { ...endpoint, secure: true }, trust, tls: {} },
      timeoutMs,
      abort,
    );
    socket.destroy();
    return true;
  } catch {
    return false;
  }
}

/**
 * Destroys a failed socket. This listener stays registered after connecting, so that a later error is not an
 * uncaught exception. It is a top-level function, so that the socket does not hold the variables of
 * `openSocket`.
 */
function giveUp(this: net.Socket): void {
  this.destroy();
}

function startPlain({ host, port }: Endpoint): net.Socket {
  return net.connect({ host, port, noDelay: true, keepAlive: true });
}

/**
 * Starts TLS without session resumption, since a resumed session shows no certificate to compare. Offers only
 * HTTP/1.1, even if the TLS options say otherwise.
 */
function startTls({ endpoint: { host, port }, tls: options }: Target): tls.TLSSocket {
  const { session: _session, socket: _socket, path: _path, servername, ...rest } = options;
  // SNI does not allow an IP address.
  const name = servername || (net.isIP(host) === 0 ? host : undefined);
  const socket = tls.connect({
    ...rest,
    host,
    port,
    ...(name === undefined ? {} : { servername: name }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
  });
  return socket.setNoDelay(true).setKeepAlive(true);
}

/**
 * Returns the options with keys and certificates already parsed, so that each connection can use them.
 * @throws Failure if keys or certificates are invalid
 */
export function prepareTls(options: tls.ConnectionOptions): tls.ConnectionOptions {
  try {
    return { ...options, secureContext: options.secureContext ?? tls.createSecureContext(options) };
  } catch (error) {
    throw Failure.own('UNUSABLE', localized('tlsUnusable', { words: wordsOf(error) }));
  }
}

export function certificateEndOf(socket: net.Socket): number | undefined {
  if (!(socket instanceof tls.TLSSocket)) return undefined;
  // A destroyed socket has no certificate.
  const { valid_to }: Partial<PeerCertificate> = Object(socket.getPeerCertificate());
  const end = Date.parse(valid_to ?? '');
  return Number.isNaN(end) ? undefined : end;
}

interface Trust {
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
 * Checks the certificate after the TLS handshake, before any byte of a request is sent. The handshake accepts
 * every certificate, so that the error can show the fingerprint.
 * @returns undefined if the certificate is trusted
 */
function findDistrust(socket: TLSSocket, trust: Trust): Failure | undefined {
  if (trust.certificate === 'any') return undefined;
  const certificate = socket.getPeerCertificate();
  const seen = certificate.fingerprint256;
  if (seen === undefined) return Failure.own('UNTRUSTED', localized('noCertificate'));
  if (trust.certificate === 'pin') return findChange(seen, trust.fingerprint);
  if (socket.authorized) return undefined;
  return Failure.own(
    'UNTRUSTED',
    localized('untrusted', { reason: reasonOf(socket, certificate), fingerprint: seen }),
  );
}

function findChange(seen: string, pinned: string): Failure | undefined {
  const digits = fingerprintOf(pinned);
  if (digits !== '' && fingerprintOf(seen) === digits) return undefined;
  return Failure.own('UNTRUSTED', localized('pinChanged', { fingerprint: seen }));
}

function reasonOf(socket: TLSSocket, certificate: PeerCertificate): Text {
  const code = String(socket.authorizationError);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return localized('otherName', { names: certificate.subjectaltname ?? String(certificate.subject.CN) });
  }
  const dates = reasonInDates(certificate);
  const reason = reasons[code];
  if (reason && dates) return localized('both', { first: localized(reason), second: dates });
  return dates ?? (reason ? localized(reason) : localized('notTrusted', { code }));
}

/** OpenSSL reports only one reason, but a self-signed certificate can also have expired. */
function reasonInDates({ valid_from, valid_to }: PeerCertificate): Text | undefined {
  if (Date.parse(valid_to) < Date.now()) return localized('hasExpired', { date: valid_to });
  if (Date.parse(valid_from) > Date.now()) return localized('notValidYet', { date: valid_from });
  return undefined;
}
