import type { Endpoint } from './address';
import { ownWords, readLoosely } from './answer';
import type { ClockReading } from './authentication';
import type { ErrorCode, FailedOutcome } from './errors';
import type { RawAnswer } from './exchange';
import type { Failure } from './failure';

/** What a failure means: its code, whether it may have been done, and why, without deed and place. */
export interface Verdict {
  readonly code: ErrorCode;
  readonly outcome: FailedOutcome;
  readonly reason: string;
}

/** What the sentences refer to. */
export interface Circumstances {
  readonly endpoint: Endpoint;
  readonly connectLimitMs: number;
  readonly answerLimitMs: number;
}

/** The only place that turns failures below HTTP into error codes: by their code, never by their words. */
export function classifyFailure(failure: Failure, circumstances: Circumstances): Verdict {
  const { sent } = failure.progress;
  switch (failure.code) {
    case 'ABORTED':
      return { code: 'ABORTED', outcome: sent ? 'unknown' : 'failed', reason: failure.message };
    case 'SUPERSEDED':
      return { code: 'SUPERSEDED', outcome: 'superseded', reason: failure.message };
    case 'EXPIRED':
      return { code: 'EXPIRED', outcome: 'expired', reason: failure.message };
    case 'QUEUE_FULL':
      return { code: 'QUEUE_FULL', outcome: 'failed', reason: failure.message };
    case 'UND_ERR_INVALID_ARG':
      return {
        code: 'INVALID_PARAMETER',
        outcome: 'failed',
        reason: `it cannot be sent (${failure.message})`,
      };
    case 'INVALID_PARAMETER':
      return { code: 'INVALID_PARAMETER', outcome: 'failed', reason: failure.message };
    case 'UNUSABLE':
      return { code: 'NOT_CONFIGURED', outcome: 'failed', reason: failure.message };
    case 'UNTRUSTED':
      return { code: 'TLS_UNTRUSTED', outcome: 'failed', reason: failure.message };
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
      return { code: 'UNREACHABLE', outcome: 'failed', reason: clientCertificateWanted };
    case 'WANTS_TLS':
      return { code: 'PROTOCOL', outcome: 'failed', reason: failure.message };
    case 'ANSWER_TIMEOUT':
      return {
        code: 'TIMEOUT',
        outcome: 'unknown',
        reason: `${failure.message} within ${seconds(circumstances.answerLimitMs)}`,
      };
  }
  if (sent) return { code: 'PROTOCOL', outcome: 'unknown', reason: afterSending(failure, circumstances) };
  return { code: 'UNREACHABLE', outcome: 'failed', reason: whileConnecting(failure, circumstances) };
}

const clientCertificateWanted =
  'it wants a certificate from us, choose a TLS configuration with the right one';

/** What OpenSSL says when the other side answers a TLS handshake with something else. */
const notTls = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNKNOWN_PROTOCOL',
]);

function whileConnecting(failure: Failure, { endpoint, connectLimitMs }: Circumstances): string {
  const { code } = failure;
  if (code === 'ECONNREFUSED') return `it refuses connections on port ${endpoint.port}`;
  if (code === 'ENOTFOUND') return `the name "${endpoint.host}" is not known`;
  if (code === 'EAI_AGAIN') return `the name "${endpoint.host}" cannot be looked up at the moment`;
  if (code === 'CONNECT_TIMEOUT') return `no connection within ${seconds(connectLimitMs)}`;
  if (code === 'CONNECTION_GONE') return 'it closes every connection at once';
  if (code === 'ETIMEDOUT') return 'no connection came about in time';
  if (/^E(HOST|NET)(UNREACH|DOWN)$/.test(code)) return 'no way leads there from this machine';
  if (endpoint.secure && notTls.has(code)) {
    return `there is no TLS on the other side; write "${plainUrl(endpoint)}" if plain http is wanted`;
  }
  if (endpoint.secure && /^(ECONNRESET|EPIPE)$/.test(code)) {
    return `it closed the connection during the TLS handshake; if it speaks no TLS, write "${plainUrl(endpoint)}"`;
  }
  if (code.endsWith('ALERT_HANDSHAKE_FAILURE')) {
    return `it ended the TLS handshake; it may want a certificate from us, or ciphers that are not spoken here`;
  }
  if (code.startsWith('ERR_SSL_')) return `the TLS handshake failed (${code})`;
  return `no connection (${code})`;
}

function afterSending({ code, message, progress }: Failure, { endpoint }: Circumstances): string {
  if (code === 'TOO_LARGE' || code === 'UNREADABLE') return message;
  if (code === 'NOT_HTTP') {
    return `${message}${endpoint.secure ? '' : '; if it wants TLS, write https:// instead of http://'}`;
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the head of the answer is too large';
  if (progress.answered) return 'the answer broke off';
  return `the connection was lost before an answer came (${code})`;
}

/**
 * The only place that turns statuses other than 2xx into error codes (docs/contract.md 2.2, docs/field-notes.md 2).
 * @param words the device's own words; may be empty
 * @param clock what is known of the device's clock
 */
export function classifyAnswer(
  { statusCode, headers }: Pick<RawAnswer, 'statusCode' | 'headers'>,
  words: string,
  clock: ClockReading | undefined,
  endpoint: Endpoint,
): Verdict {
  const quoted = words === '' ? '' : `: "${words}"`;
  if (statusCode < 400) {
    const reason = `it answers ${statusCode} and ${whereTo(headers.location, endpoint)}`;
    return { code: 'PROTOCOL', outcome: 'failed', reason };
  }
  if (statusCode === 401 || statusCode === 403) {
    const reason = `it refuses the login with ${statusCode}${quoted}. ${fourCauses(clock)}`;
    return { code: 'AUTHENTICATION', outcome: 'failed', reason };
  }
  if (statusCode < 500 || statusCode === 501 || statusCode === 503) {
    return { code: 'REFUSED', outcome: 'failed', reason: `it refuses with ${statusCode}${quoted}` };
  }
  return { code: 'PROTOCOL', outcome: 'unknown', reason: `it failed with ${statusCode}${quoted}` };
}

/** What a refusal holds, without the signature that it might repeat, and the device's own words in it. */
export function refusalOf(
  answer: RawAnswer,
  secret: string | undefined,
): { response: unknown; words: string } {
  const response = readLoosely(withoutSecret(answer, secret));
  return { response: Buffer.isBuffer(response) ? undefined : response, words: ownWords(response) };
}

/** An answer without the signature that it might repeat. */
export function withoutSecret(answer: RawAnswer, secret: string | undefined): RawAnswer {
  if (secret === undefined || answer.body.length < secret.length) return answer;
  if (!answer.body.includes(secret)) return answer;
  const text = answer.body.toString('latin1').replaceAll(secret, '[signature]');
  return { ...answer, body: Buffer.from(text, 'latin1') };
}

function fourCauses(clock: ClockReading | undefined): string {
  return (
    'Four causes look the same from here: its RESTful API is switched off, the password is wrong, ' +
    'its authentication method is another one, or the clocks differ too much' +
    (clock ? ` (${describeClock(clock)})` : '')
  );
}

function describeClock({ differenceMs, allowedFor }: ClockReading): string {
  const wholeSeconds = Math.round(Math.abs(differenceMs) / 1000);
  const direction = differenceMs < 0 ? 'behind' : 'ahead of';
  return `its clock is ${wholeSeconds} s ${direction} ours${allowedFor ? ', which was allowed for' : ''}`;
}

function whereTo(location: string | undefined, endpoint: Endpoint): string {
  if (location === undefined || !URL.canParse(location, endpoint.origin)) return 'does not say where to go';
  const url = new URL(location, endpoint.origin);
  url.username = '';
  url.password = '';
  // It can repeat what was sent to it, the signature included.
  url.search = '';
  url.hash = '';
  const points = `points to ${url.href}, which is not followed`;
  if (url.protocol === 'https:' && !endpoint.secure)
    return `${points}; write "${url.origin}${endpoint.basePath}"`;
  return points;
}

/** The address to write for plain http. Only 80 goes without saying. */
function plainUrl({ origin, port, basePath }: Endpoint): string {
  const { hostname } = new URL(origin);
  return `http://${hostname}${port === 80 ? '' : `:${port}`}${basePath}`;
}

/** Milliseconds as people read them. */
export function seconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(3))} s`;
}
