import { localized, type Text } from '../catalogue/localized-message';
import { type ErrorCode, type FailedOutcome, LocalizedError, wordsOf } from './errors';
import { type Endpoint, urlWithScheme } from './settings';

type OwnCode =
  | 'ABORTED'
  | 'ANSWER_TIMEOUT'
  | 'BROKEN_OFF'
  | 'CONNECT_TIMEOUT'
  | 'CONNECTION_GONE'
  | 'EXPIRED'
  | 'GAVE_WAY'
  | 'HANDSHAKE_TIMEOUT'
  | 'INVALID_PARAMETER'
  | 'NOT_HTTP'
  | 'QUEUE_FULL'
  | 'SUPERSEDED'
  | 'UNUSABLE'
  | 'TOO_LARGE'
  | 'UNREADABLE'
  | 'UNTRUSTED'
  | 'WANTS_TLS';

interface Stage {
  /** Whether the request was handed to the socket, so that the device might have the request. */
  readonly sent: boolean;
  readonly answered: boolean;
  readonly statusCode?: number | undefined;
  readonly wireMs?: number | undefined;
}

export class Failure extends LocalizedError {
  override readonly name = 'Failure';
  readonly code: string;
  readonly progress: Stage;

  constructor(
    code: string,
    reason: Text,
    progress: Stage = { sent: false, answered: false },
    cause?: unknown,
  ) {
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    this.progress = progress;
  }

  static own(code: OwnCode, reason: Text, progress?: Stage): Failure {
    return new Failure(code, reason, progress);
  }

  static nodeClosed(): Failure {
    return new Failure('ABORTED', localized('nodeClosed'));
  }

  /**
   * Wraps an error of a socket or of undici. The code of the failure comes from the error's code, never from
   * its class or text.
   */
  static of(error: unknown, progress?: Stage): Failure {
    if (error instanceof Failure) {
      return progress ? new Failure(error.code, error.localizedMessage, progress, error.cause) : error;
    }
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    const reason = wordsOf(error);
    return new Failure(typeof code === 'string' ? code : 'UNEXPECTED', reason, progress, error);
  }
}

export const lostCodes = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'UND_ERR_SOCKET',
  'CONNECTION_GONE',
]);

export interface Classification {
  readonly code: ErrorCode;
  readonly outcome: FailedOutcome;
  readonly reason: Text;
}

interface Circumstances {
  readonly endpoint: Endpoint;
  readonly connectLimitMs: number;
  readonly answerLimitMs: number;
}

/** The failures of the client whose own words are the reason. */
const ownFailures = new Map<string, readonly [ErrorCode, FailedOutcome]>([
  ['ABORTED', ['ABORTED', 'failed']],
  ['EXPIRED', ['EXPIRED', 'expired']],
  ['GAVE_WAY', ['TIMEOUT', 'unknown']],
  ['INVALID_PARAMETER', ['INVALID_PARAMETER', 'failed']],
  ['QUEUE_FULL', ['QUEUE_FULL', 'failed']],
  ['SUPERSEDED', ['SUPERSEDED', 'superseded']],
  ['UNTRUSTED', ['TLS_UNTRUSTED', 'failed']],
  ['UNUSABLE', ['NOT_CONFIGURED', 'failed']],
  ['WANTS_TLS', ['PROTOCOL', 'failed']],
]);

/** Classifies a network failure or a failure of the client by the error code, never by the message. */
export function classifyFailure(failure: Failure, circumstances: Circumstances): Classification {
  const { sent, statusCode } = failure.progress;
  const [code, outcome] = ownFailures.get(failure.code) ?? [];
  if (code && outcome) {
    const isUnknown = code === 'ABORTED' && sent;
    return { code, outcome: isUnknown ? 'unknown' : outcome, reason: failure.localizedMessage };
  }
  if (failure.code === 'UND_ERR_INVALID_ARG') {
    const reason = localized('cannotBeSent', { words: failure.message });
    return { code: 'INVALID_PARAMETER', outcome: 'failed', reason };
  }
  if (failure.code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
    return { code: 'UNREACHABLE', outcome: 'failed', reason: localized('wantsCertificate') };
  if (failure.code === 'ANSWER_TIMEOUT') {
    const values = { seconds: seconds(circumstances.answerLimitMs) };
    const reason = localized(statusCode === undefined ? 'noAnswerWithin' : 'noEndWithin', values);
    return { code: 'TIMEOUT', outcome: 'unknown', reason };
  }
  if (sent) return { code: 'PROTOCOL', outcome: 'unknown', reason: afterSending(failure, circumstances) };
  return { code: 'UNREACHABLE', outcome: 'failed', reason: whileConnecting(failure, circumstances) };
}

/** The error codes of OpenSSL for a server that answers a TLS handshake with another protocol. */
const notTls = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNKNOWN_PROTOCOL',
]);

/**
 * The error codes of OpenSSL for a server without TLS 1.2. The first code comes from the server, the second
 * one from Node. The third one comes if an option of Node permits the old versions, but not their signatures.
 */
const tooOldTls = new Set([
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED',
]);

function whileConnecting(failure: Failure, { endpoint, connectLimitMs }: Circumstances): Text {
  const { code } = failure;
  if (code === 'ECONNREFUSED') return localized('refusesConnections', { port: String(endpoint.port) });
  if (code === 'ENOTFOUND') return localized('unknownHost');
  if (code === 'EAI_AGAIN') return localized('lookupFails');
  if (code === 'CONNECT_TIMEOUT')
    return localized('noConnectionWithin', { seconds: seconds(connectLimitMs) });
  if (code === 'HANDSHAKE_TIMEOUT')
    return localized('handshakeUnending', { seconds: seconds(connectLimitMs) });
  if (code === 'CONNECTION_GONE') return localized('closesAtOnce');
  if (code === 'ETIMEDOUT') return localized('connectTimeout');
  if (/^E(HOST|NET)(UNREACH|DOWN)$/.test(code)) return localized('noWay');
  if (endpoint.secure && notTls.has(code)) {
    return localized('noTls', { port: String(endpoint.port), url: urlWithScheme('http', endpoint) });
  }
  if (endpoint.secure && /^(ECONNRESET|EPIPE)$/.test(code)) {
    return localized('handshakeClosed', { url: urlWithScheme('http', endpoint) });
  }
  if (code.endsWith('ALERT_HANDSHAKE_FAILURE')) return localized('handshakeEnded');
  if (tooOldTls.has(code)) return localized('tlsTooOld');
  if (code.startsWith('ERR_SSL_')) return localized('handshakeFailed', { code });
  return localized('noConnection', { code });
}

function afterSending(failure: Failure, { endpoint }: Circumstances): Text {
  const { code, progress } = failure;
  if (code === 'TOO_LARGE' || code === 'UNREADABLE') return failure.localizedMessage;
  if (code === 'NOT_HTTP') return localized(endpoint.secure ? 'notHttp' : 'notHttpPlain');
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return localized('headTooLarge');
  if (progress.answered) return localized('brokenOff');
  return localized('lostBefore', { code });
}

export function seconds(milliseconds: number): string {
  return String(Number((milliseconds / 1000).toFixed(3)));
}
