import net from 'node:net';
import tls from 'node:tls';
import { said } from '../catalogue/saying';
import { Deadline } from '../time/deadline';
import type { Abort } from './abort';
import { type Endpoint, serverNameOf } from './address';
import { wordsOf } from './errors';
import { Failure, lostCodes } from './failure';
import { findDistrust, type Trust } from './trust';

/** What a connection needs to know. */
export interface Target {
  readonly endpoint: Endpoint;
  readonly trust: Trust;
  readonly tls: tls.ConnectionOptions;
}

/**
 * Connects, and for https decides about the certificate, before anything of a request is written.
 * @param timeoutMs limit for both together
 * @throws Failure; no socket is left then
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
      fail(Failure.own(code, said('noConnectionInTime')));
    };
    const limit = new Deadline(onLimit, timeoutMs);
    const settle = (finish: () => void) => {
      limit.clear();
      abort.tell(undefined);
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
    abort.tell(fail);
    socket.on('error', giveUp);
    socket.on('error', onError);
    socket.on('close', onClose);
    socket.on(connected, onConnected);
  });
}

/**
 * Stays for as long as the socket lives: between two owners an error must not become an uncaught exception, and
 * what failed is of no use. Declared here, so that no open socket holds on to what was needed to open it.
 */
function giveUp(this: net.Socket): void {
  this.destroy();
}

function startPlain({ host, port }: Endpoint): net.Socket {
  return net.connect({ host, port, noDelay: true, keepAlive: true });
}

/**
 * No session is kept or offered: a resumed session shows no certificate, so nothing could be compared. Only
 * HTTP/1.1 is offered, whatever a TLS configuration says, since nothing else is spoken here.
 */
function startTls({ endpoint: { host, port }, tls: options }: Target): tls.TLSSocket {
  const { session: _session, socket: _socket, path: _path, servername, ...rest } = options;
  const name = servername || serverNameOf(host);
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
 * Reads keys and certificates once, instead of for every connection.
 * @throws Failure when they cannot be used
 */
export function prepareTls(options: tls.ConnectionOptions): tls.ConnectionOptions {
  try {
    return { ...options, secureContext: options.secureContext ?? tls.createSecureContext(options) };
  } catch (error) {
    throw Failure.own('UNUSABLE', said('tlsUnusable', { words: wordsOf(error) }));
  }
}

/** A look at what is spoken takes no longer. */
const longestLookMs = 2_000;

/** What a look shows is believed of nobody: no request goes over this connection. */
const anybody = { certificate: 'any', fingerprint: '' } as const;

/** What is known where a request came to nothing. */
interface Asked {
  readonly context: {
    readonly endpoint: Endpoint;
    /** Undefined before the first answer. */
    readonly roundTripMs: number | undefined;
  };
  /** It goes again by itself after a reset. */
  readonly isSafe: boolean;
}

/** What does not speak our language closes the connection; one that breaks is reset. */
const closed = 'UND_ERR_SOCKET';

/**
 * Why a plain request came to nothing where nobody has ever answered one: if TLS is spoken there, nothing of it was
 * understood, so it was surely not done. Never rejects.
 * @returns that, or the failure as it was
 */
export async function explainScheme(
  failure: Failure,
  { context: { endpoint, roundTripMs }, isSafe }: Asked,
  limitMs: number,
  abort: Abort,
): Promise<Failure> {
  const { code, progress } = failure;
  if (endpoint.secure || !progress.sent || roundTripMs !== undefined) return failure;
  const isLost = !progress.answered && (isSafe ? code === closed : lostCodes.has(code));
  if (!isLost && code !== 'NOT_HTTP') return failure;
  if (!(await speaksTls(endpoint, Math.min(limitMs, longestLookMs), abort))) return failure;
  const reason = said('wantsTls', { url: secureUrl(endpoint) });
  return Failure.own('WANTS_TLS', reason, progress);
}

async function speaksTls(endpoint: Endpoint, limitMs: number, abort: Abort): Promise<boolean> {
  try {
    const target = { endpoint: { ...endpoint, secure: true }, trust: anybody, tls: {} };
    const socket = await openSocket(target, limitMs, abort);
    socket.destroy();
    return true;
  } catch {
    return false;
  }
}

/** Only 443 goes without saying. */
function secureUrl({ origin, port, basePath }: Endpoint): string {
  const { hostname } = new URL(origin);
  return `https://${hostname}${port === 443 ? '' : `:${port}`}${basePath}`;
}
