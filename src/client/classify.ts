import { duration } from '../catalogue/duration';
import { localized, type Text } from '../catalogue/localized-message';
import type { AnswerKind } from '../catalogue/operation';
import type { ClockReading } from './authentication';
import { type ErrorCode, type ErrorDetails, type FailedOutcome, wordsOf } from './errors';
import { Failure, lostCodes } from './failure';
import type { RawAnswer } from './http/exchange';
import { openSocket } from './http/socket';
import type { Abort } from './queue/entry';
import { ownWords, readBody, readLoosely } from './response';
import type { Endpoint } from './settings';

/** The meaning of a failure: its code, whether the command might have been done, and why, without operation and place. */
export interface Classification {
  readonly code: ErrorCode;
  readonly outcome: FailedOutcome;
  readonly reason: Text;
}

/** What the sentences refer to. */
interface Circumstances {
  readonly endpoint: Endpoint;
  readonly connectLimitMs: number;
  readonly answerLimitMs: number;
}

/** The only place that turns failures below HTTP into error codes: by their code, never by their words. */
export function classifyFailure(failure: Failure, circumstances: Circumstances): Classification {
  const { sent } = failure.progress;
  switch (failure.code) {
    case 'ABORTED':
      return { code: 'ABORTED', outcome: sent ? 'unknown' : 'failed', reason: failure.said };
    case 'SUPERSEDED':
      return { code: 'SUPERSEDED', outcome: 'superseded', reason: failure.said };
    case 'EXPIRED':
      return { code: 'EXPIRED', outcome: 'expired', reason: failure.said };
    case 'QUEUE_FULL':
      return { code: 'QUEUE_FULL', outcome: 'failed', reason: failure.said };
    case 'UND_ERR_INVALID_ARG':
      return {
        code: 'INVALID_PARAMETER',
        outcome: 'failed',
        reason: localized('cannotBeSent', { words: failure.message }),
      };
    case 'INVALID_PARAMETER':
      return { code: 'INVALID_PARAMETER', outcome: 'failed', reason: failure.said };
    case 'UNUSABLE':
      return { code: 'NOT_CONFIGURED', outcome: 'failed', reason: failure.said };
    case 'UNTRUSTED':
      return { code: 'TLS_UNTRUSTED', outcome: 'failed', reason: failure.said };
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
      return { code: 'UNREACHABLE', outcome: 'failed', reason: localized('wantsCertificate') };
    case 'WANTS_TLS':
      return { code: 'PROTOCOL', outcome: 'failed', reason: failure.said };
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

/** What OpenSSL says when the other side answers a TLS handshake with something else. */
const notTls = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNKNOWN_PROTOCOL',
]);

function whileConnecting(failure: Failure, { endpoint, connectLimitMs }: Circumstances): Text {
  const { code } = failure;
  if (code === 'ECONNREFUSED') return localized('refusesConnections', { port: String(endpoint.port) });
  if (code === 'ENOTFOUND') return localized('unknownHost', { host: endpoint.host });
  if (code === 'EAI_AGAIN') return localized('lookupFails', { host: endpoint.host });
  if (code === 'CONNECT_TIMEOUT')
    return localized('noConnectionWithin', { seconds: seconds(connectLimitMs) });
  if (code === 'HANDSHAKE_TIMEOUT')
    return localized('handshakeUnending', { seconds: seconds(connectLimitMs) });
  if (code === 'CONNECTION_GONE') return localized('closesAtOnce');
  if (code === 'ETIMEDOUT') return localized('connectTimeout');
  if (/^E(HOST|NET)(UNREACH|DOWN)$/.test(code)) return localized('noWay');
  if (endpoint.secure && notTls.has(code)) {
    return localized('noTls', { url: plainUrl(endpoint) });
  }
  if (endpoint.secure && /^(ECONNRESET|EPIPE)$/.test(code)) {
    return localized('handshakeClosed', { url: plainUrl(endpoint) });
  }
  if (code.endsWith('ALERT_HANDSHAKE_FAILURE')) return localized('handshakeEnded');
  if (code.startsWith('ERR_SSL_')) return localized('handshakeFailed', { code });
  return localized('noConnection', { code });
}

function afterSending(failure: Failure, { endpoint }: Circumstances): Text {
  const { code, progress } = failure;
  if (code === 'TOO_LARGE' || code === 'UNREADABLE') return failure.said;
  if (code === 'NOT_HTTP') return localized(endpoint.secure ? 'notHttp' : 'notHttpPlain');
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return localized('headTooLarge');
  if (progress.answered) return localized('brokenOff');
  return localized('lostBefore', { code });
}

/**
 * The only place that turns statuses other than 2xx into error codes (docs/contract.md 2.2, docs/field-notes.md 2).
 * @param words the device's own words; may be empty
 * @param clock what is known of the device's clock
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
    const values = { status, words: quoted };
    const reason = clock
      ? localized('refusesLoginClock', { ...values, clock: describeClock(clock) })
      : localized('refusesLogin', values);
    return { code: 'AUTHENTICATION', outcome: 'failed', reason };
  }
  if (statusCode < 500 || statusCode === 501 || statusCode === 503) {
    return { code: 'REFUSED', outcome: 'failed', reason: localized('refuses', { status, words: quoted }) };
  }
  return { code: 'PROTOCOL', outcome: 'unknown', reason: localized('fails', { status, words: quoted }) };
}

/** What a refusal holds, and the device's own words in it. */
function refusalOf(answer: RawAnswer): { response: unknown; words: string } {
  const response = readLoosely(answer);
  return { response: Buffer.isBuffer(response) ? undefined : response, words: ownWords(response) };
}

/** An answer without the signature or the login that it might repeat, in its body or in where it points to. */
function withoutSecrets(answer: RawAnswer, secrets: readonly string[]): RawAnswer {
  let { body, headers } = answer;
  for (const secret of secrets) {
    if (body.includes(secret)) {
      const bytes = Buffer.from(secret).toString('latin1');
      body = Buffer.from(body.toString('latin1').replaceAll(bytes, '[signature]'), 'latin1');
    }
    for (const written of [secret, encodeURIComponent(Buffer.from(secret).toString())]) {
      if (headers.location?.includes(written))
        headers = { ...headers, location: headers.location.replaceAll(written, '-') };
    }
  }
  return body === answer.body && headers === answer.headers ? answer : { ...answer, body, headers };
}

function describeClock({ differenceMs, allowedFor }: ClockReading): Text {
  const direction = differenceMs < 0 ? 'clockBehind' : 'clockAhead';
  return localized(allowedFor ? `${direction}Allowed` : direction, { time: duration(differenceMs / 1000) });
}

function whereTo(status: string, location: string | undefined, endpoint: Endpoint): Text {
  if (location === undefined || !URL.canParse(location, endpoint.origin))
    return localized('redirectsNowhere', { status });
  const url = new URL(location, endpoint.origin);
  url.username = '';
  url.password = '';
  // It can repeat what was sent to it, the signature included.
  url.search = '';
  url.hash = '';
  const values = { status, url: url.href };
  if (url.protocol !== 'https:' || endpoint.secure) return localized('redirects', values);
  return localized('redirectsSecure', { ...values, write: `${url.origin}${endpoint.basePath}` });
}

/** The address to write for plain http. Only 80 goes without saying. */
function plainUrl({ origin, port, basePath }: Endpoint): string {
  const { hostname } = new URL(origin);
  return `http://${hostname}${port === 80 ? '' : `:${port}`}${basePath}`;
}

/** Milliseconds as seconds, as people read them. */
export function seconds(milliseconds: number): string {
  return String(Number((milliseconds / 1000).toFixed(3)));
}

/** The whole sentence: what was done, where, and why it came to nothing. */
export function atPlace(operationName: string, place: string, reason: Text, mayBeDone: boolean): Text {
  return localized(mayBeDone ? 'atPlaceUnclear' : 'atPlace', { operation: operationName, place, reason });
}

/** What a failure means after a request that was sent and lost. */
export function afterLoss({ reason }: Classification): Classification {
  return { code: 'PROTOCOL', outcome: 'unknown', reason: localized('lostAndThen', { reason }) };
}

/** There was no connection before the time was over. */
export function notInTime(): Failure {
  return Failure.own('EXPIRED', localized('noConnectionInTime'));
}

/** Why an answer is no success, and what the device said about it. */
interface ErrorResponse {
  readonly verdict: Classification;
  readonly details: ErrorDetails;
}

/** The body of an answer, or the error that it means. */
type ResponseResult = ErrorResponse | { readonly body: unknown; readonly verdict?: undefined };

/** The context in which an answer is read. */
interface Reading {
  readonly endpoint: Endpoint;
  /** What the operation answers; absent for hand-made requests. */
  readonly kind: AnswerKind | undefined;
  /** What must not appear in any text, though the device may repeat it. */
  readonly secrets: readonly string[];
  /** Reads what the answer says of the device's clock, which matters where it is a refusal. */
  clock(): ClockReading | undefined;
}

/** Reads an answer. Never throws: whatever is wrong with its body or its headers, its status stands. */
export function conclusionOf(answer: RawAnswer, reading: Reading): ResponseResult {
  const { endpoint, kind, secrets } = reading;
  try {
    const shown = withoutSecrets(answer, secrets);
    if (isSuccess(answer)) return { body: readBody(shown, kind) };
    const { response, words } = refusalOf(shown);
    const { statusCode } = answer;
    return {
      verdict: classifyAnswer(shown, words, reading.clock(), endpoint),
      details: { statusCode, response },
    };
  } catch (error) {
    return unreadable(answer, endpoint, error);
  }
}

/** What an answer amounts to that cannot be read, or where something went wrong after it had come. */
export function unreadable({ statusCode }: RawAnswer, endpoint: Endpoint, error: unknown): ErrorResponse {
  const details = { statusCode, cause: error };
  if (!isSuccess({ statusCode })) {
    return { verdict: classifyAnswer({ statusCode, headers: {} }, '', undefined, endpoint), details };
  }
  const known = error instanceof Failure && ['UNREADABLE', 'TOO_LARGE'].includes(error.code);
  const reason = known ? error.said : localized('answerUnreadable', { words: wordsOf(error) });
  return { verdict: { code: 'PROTOCOL', outcome: 'unknown', reason }, details };
}

/** 2xx. */
export function isSuccess({ statusCode }: Pick<RawAnswer, 'statusCode'>): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** A look at what is spoken takes no longer. */
const maxProbeMs = 2_000;

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
  if (!(await speaksTls(endpoint, Math.min(limitMs, maxProbeMs), abort))) return failure;
  const reason = localized('wantsTls', { url: secureUrl(endpoint) });
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
