import { duration } from '../catalogue/duration';
import { joinMessages, localized, type Text } from '../catalogue/localized-message';
import type { AnswerKind } from '../catalogue/operation';
import type { ClockReading } from './authentication';
import { type ErrorCode, type ErrorDetails, type FailedOutcome, wordsOf } from './errors';
import { Failure, lostCodes } from './failure';
import type { RawAnswer } from './http/exchange';
import { openSocket } from './http/socket';
import type { Abort } from './queue/entry';
import { ownWords, readBody, readLoosely } from './response';
import { type Endpoint, maxUrlLength } from './settings';

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

/** Classifies a network failure or a failure of the client by the error code, never by the message. */
export function classifyFailure(failure: Failure, circumstances: Circumstances): Classification {
  const { sent } = failure.progress;
  switch (failure.code) {
    case 'ABORTED':
      return { code: 'ABORTED', outcome: sent ? 'unknown' : 'failed', reason: failure.localizedMessage };
    case 'SUPERSEDED':
      return { code: 'SUPERSEDED', outcome: 'superseded', reason: failure.localizedMessage };
    case 'EXPIRED':
      return { code: 'EXPIRED', outcome: 'expired', reason: failure.localizedMessage };
    case 'QUEUE_FULL':
      return { code: 'QUEUE_FULL', outcome: 'failed', reason: failure.localizedMessage };
    case 'UND_ERR_INVALID_ARG':
      return {
        code: 'INVALID_PARAMETER',
        outcome: 'failed',
        reason: localized('cannotBeSent', { words: failure.message }),
      };
    case 'INVALID_PARAMETER':
      return { code: 'INVALID_PARAMETER', outcome: 'failed', reason: failure.localizedMessage };
    case 'UNUSABLE':
      return { code: 'NOT_CONFIGURED', outcome: 'failed', reason: failure.localizedMessage };
    case 'UNTRUSTED':
      return { code: 'TLS_UNTRUSTED', outcome: 'failed', reason: failure.localizedMessage };
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
      return { code: 'UNREACHABLE', outcome: 'failed', reason: localized('wantsCertificate') };
    case 'WANTS_TLS':
      return { code: 'PROTOCOL', outcome: 'failed', reason: failure.localizedMessage };
    case 'GAVE_WAY':
      return { code: 'TIMEOUT', outcome: 'unknown', reason: failure.localizedMessage };
    case 'ANSWER_TIMEOUT':
      return {
        code: 'TIMEOUT',
        outcome: 'unknown',
        reason: localized(failure.progress.statusCode === undefined ? 'noAnswerWithin' : 'noEndWithin', {
          seconds: seconds(circumstances.answerLimitMs),
        }),
      };
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
    return localized('noTls', { port: String(endpoint.port), url: plainUrl(endpoint) });
  }
  if (endpoint.secure && /^(ECONNRESET|EPIPE)$/.test(code)) {
    return localized('handshakeClosed', { url: plainUrl(endpoint) });
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

/**
 * Classifies a status other than 2xx (docs/contract.md 2.2, docs/field-notes.md 2).
 * @param words explanation from the device's answer; can be empty
 * @param clock comparison of the device's clock with this machine's; undefined if unknown
 */
function classifyAnswer(
  { statusCode, headers }: Pick<RawAnswer, 'statusCode' | 'headers'>,
  words: string,
  clock: ClockReading | undefined,
  endpoint: Endpoint,
): Classification {
  const status = String(statusCode);
  const quoted = words === '' ? '' : localized('inItsWords', { words });
  if (statusCode < 400) {
    return { code: 'PROTOCOL', outcome: 'failed', reason: whereTo(status, headers.location, endpoint) };
  }
  if (statusCode === 401 || statusCode === 403) {
    const rejected = localized('refusesLogin', { status, words: quoted });
    const reason = clock ? joinMessages([rejected, describeClock(clock)]) : rejected;
    return { code: 'AUTHENTICATION', outcome: 'failed', reason };
  }
  if (statusCode < 500 || statusCode === 501 || statusCode === 503) {
    return { code: 'REFUSED', outcome: 'failed', reason: localized('refuses', { status, words: quoted }) };
  }
  return { code: 'PROTOCOL', outcome: 'unknown', reason: localized('fails', { status, words: quoted }) };
}

/** Text instead of an answer to a request that names a password. */
export const hiddenResponse = '***';

function refusalOf(answer: RawAnswer, isHidden: boolean): { response: unknown; words: string } {
  const response = readLoosely(answer);
  if (isHidden) return { response: response === undefined ? undefined : hiddenResponse, words: '' };
  return { response: Buffer.isBuffer(response) ? undefined : response, words: ownWords(response) };
}

/** Replaces the signature or the login of a header, also with the slashes as PHP writes them in JSON. */
function withoutHeader(answer: RawAnswer, header: string | undefined): RawAnswer {
  if (answer.body.length === 0) return answer;
  const secret = header?.split(/[ :]/).at(-1) ?? '';
  const forms = [secret, secret.replaceAll('/', '\\/')].filter((form) => form && answer.body.includes(form));
  if (forms.length === 0) return answer;
  let text = answer.body.toString('latin1');
  for (const form of forms) text = text.replaceAll(form, '***');
  return { ...answer, body: Buffer.from(text, 'latin1') };
}

function describeClock({ differenceMs, usesDeviceTime }: ClockReading): Text {
  const direction = differenceMs < 0 ? 'clockBehind' : 'clockAhead';
  return localized(usesDeviceTime ? `${direction}Allowed` : direction, {
    time: duration(differenceMs / 1000),
  });
}

function whereTo(status: string, location: string | undefined, endpoint: Endpoint): Text {
  const isUsable = location !== undefined && location.length <= maxUrlLength;
  if (!isUsable || !URL.canParse(location, endpoint.origin)) return localized('redirectsNowhere', { status });
  const url = new URL(location, endpoint.origin);
  // The rest of the address can repeat the signature of the request.
  const values = { status, url: `${url.protocol}//${url.host}` };
  if (url.protocol !== 'https:' || endpoint.secure) return localized('redirects', values);
  return localized('redirectsSecure', { ...values, write: `${url.origin}${endpoint.basePath}` });
}

function plainUrl({ origin, port, basePath }: Endpoint): string {
  const { hostname } = new URL(origin);
  return `http://${hostname}${port === 80 ? '' : `:${port}`}${basePath}`;
}

export function seconds(milliseconds: number): string {
  return String(Number((milliseconds / 1000).toFixed(3)));
}

/**
 * Classifies the last failure of a call whose earlier request might have taken effect: the outcome is
 * unknown.
 */
export function withUnknownOutcome({ reason }: Classification): Classification {
  return { code: 'PROTOCOL', outcome: 'unknown', reason: localized('lostAndThen', { reason }) };
}

export function expiredFailure(): Failure {
  return Failure.own('EXPIRED', localized('noConnectionInTime'));
}

interface ErrorResponse {
  readonly classification: Classification;
  readonly details: ErrorDetails;
}

type ResponseResult = ErrorResponse | { readonly body: unknown; readonly classification?: undefined };

interface Reading {
  readonly endpoint: Endpoint;
  readonly kind: AnswerKind | undefined;
  /** The header `Authorization` of the request, which is removed from its answer. */
  readonly authorization: string | undefined;
  /** Whether an error shows nothing of the answer, because the request names a password. */
  readonly isHidden: boolean;
  clock(): ClockReading | undefined;
}

/**
 * Returns the body or the error of an answer. Never throws: if the body or the headers are invalid, the
 * status decides the error code.
 */
export function responseResultOf(raw: RawAnswer, reading: Reading): ResponseResult {
  const { endpoint, kind, authorization, isHidden } = reading;
  // The bytes of a file stay as they are.
  const answer = kind === 'file' && isSuccess(raw) ? raw : withoutHeader(raw, authorization);
  try {
    if (isSuccess(answer)) return { body: readBody(answer, kind) };
    const { response, words } = refusalOf(answer, isHidden);
    const { statusCode } = answer;
    return {
      classification: classifyAnswer(answer, words, reading.clock(), endpoint),
      details: { statusCode, response },
    };
  } catch (error) {
    return unreadable(answer, endpoint, error);
  }
}

export function unreadable({ statusCode }: RawAnswer, endpoint: Endpoint, error: unknown): ErrorResponse {
  const details = { statusCode, cause: error };
  if (!isSuccess({ statusCode })) {
    return { classification: classifyAnswer({ statusCode, headers: {} }, '', undefined, endpoint), details };
  }
  const known = error instanceof Failure && ['UNREADABLE', 'TOO_LARGE'].includes(error.code);
  const reason = known ? error.localizedMessage : localized('answerUnreadable', { words: wordsOf(error) });
  return { classification: { code: 'PROTOCOL', outcome: 'unknown', reason }, details };
}

export function isSuccess({ statusCode }: Pick<RawAnswer, 'statusCode'>): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Maximum duration of the test connection that `detectHttps` opens, in milliseconds. */
const maxProbeMs = 2_000;

/** The test handshake accepts every certificate, since no request is sent. */
const anyCertificate = { certificate: 'any', fingerprint: '' } as const;

interface FailedRequest {
  readonly context: {
    readonly endpoint: Endpoint;
    readonly roundTripMs: number | undefined;
  };
  /**
   * Whether the request is idempotent. If an idempotent request lost its connection, the address is tested
   * for https only after an orderly close: after a reset, the client just sends the request again.
   */
  readonly isIdempotent: boolean;
}

/** Error code for an orderly close, with which servers that expect TLS answer a plain request. */
const orderlyCloseCode = 'UND_ERR_SOCKET';

/**
 * After a failed http request to an address that has never answered, tests whether the address expects https.
 * An https server cannot have carried out the http request. Never rejects.
 * @returns a failure that recommends https, or the original failure
 */
export async function detectHttps(
  failure: Failure,
  { context: { endpoint, roundTripMs }, isIdempotent }: FailedRequest,
  limitMs: number,
  abort: Abort,
): Promise<Failure> {
  const { code, progress } = failure;
  if (endpoint.secure || !progress.sent || roundTripMs !== undefined) return failure;
  const isLost = !progress.answered && (isIdempotent ? code === orderlyCloseCode : lostCodes.has(code));
  if (!isLost && code !== 'NOT_HTTP') return failure;
  if (!(await speaksTls(endpoint, Math.min(limitMs, maxProbeMs), abort))) return failure;
  const reason = localized('wantsTls', { port: String(endpoint.port), url: secureUrl(endpoint) });
  return Failure.own('WANTS_TLS', reason, progress);
}

async function speaksTls(endpoint: Endpoint, limitMs: number, abort: Abort): Promise<boolean> {
  try {
    const target = { endpoint: { ...endpoint, secure: true }, trust: anyCertificate, tls: {} };
    const socket = await openSocket(target, limitMs, abort);
    socket.destroy();
    return true;
  } catch {
    return false;
  }
}

function secureUrl({ origin, port, basePath }: Endpoint): string {
  const { hostname } = new URL(origin);
  return `https://${hostname}${port === 443 ? '' : `:${port}`}${basePath}`;
}
