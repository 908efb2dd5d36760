import { joinMessages, localized } from '../catalogue/localized-message';
import { backoffMs } from '../kernel/time/backoff';
import type { Authentication, Authorized } from './authentication';
import type { Answer, FullOptions, WireRequest } from './call';
import type { Environment } from './environment';
import { DeviceError, type ErrorDetails } from './errors';
import { type Classification, classifyFailure, Failure, lostCodes, seconds } from './failure';
import {
  type Connection,
  isLong,
  longTransfers,
  maxAnswerBytes,
  maxReadingBytes,
  type RawAnswer,
} from './http/connection';
import type { ConnectionPool, Connector, Reuse } from './http/pool';
import { speaksTls } from './http/socket';
import { type QueueEntry, superseded } from './queue/entry';
import type { Queue } from './queue/queue';
import { isSuccess, responseResultOf } from './response';
import { maskSecrets } from './secrets';
import { type Endpoint, urlWithScheme } from './settings';

export interface ExecutionContext {
  readonly deviceLabel: string;
  readonly endpoint: Endpoint;
  readonly timeoutMs: number;
  readonly environment: Environment;
  readonly authentication: Authentication;
  lastAnswer: LastAnswer | undefined;
  readonly connector: Connector;
  readonly pool: ConnectionPool;
  readonly queue: Pick<Queue, 'pauseForRetry'>;
}

interface LastAnswer {
  readonly roundTripMs: number;
  /** The `Date` header; undefined if there was none. */
  readonly date: string | undefined;
  /** Arrival in epoch milliseconds. */
  readonly at: number;
}

const maxAttempts = 3;

const backoff = { firstMs: 250, maxMs: 2_000 };

/**
 * Random share of the pause before a retry, so that a hundred devices behind one switch do not retry at the
 * same time.
 */
const jitter = 0.2;

/** Maximum duration of the test connection that tells whether an address expects https, in milliseconds. */
const maxProbeMs = 2_000;

interface Exchanged {
  readonly answer: RawAnswer;
  readonly authorized: Authorized;
}

/**
 * Sends the requests of one call, which ends with one answer or one error: retrying, around signing, around one
 * exchange. Each try sends at most three requests.
 */
export class Execution {
  readonly #started: number;
  readonly #isIdempotent: boolean;
  readonly #limitMs: number;
  #wireMs: number | undefined;
  #attempts = 0;
  #attemptsBefore = 0;
  /** The error of the last answer or try. */
  #error: DeviceError | undefined;
  /** Whether the result of a sent request is unknown. */
  #isUnclear = false;
  /** Whether the last new connection was lost. A device that serves one connection might reset a second one. */
  #wasReset = false;

  constructor(
    private readonly request: WireRequest,
    private readonly options: FullOptions,
    private readonly entry: QueueEntry,
    private readonly context: ExecutionContext,
  ) {
    this.#started = context.environment.monotonic();
    this.#isIdempotent = request.method === 'GET' || options.repeatable === true;
    this.#limitMs = Math.max(options.timeoutMs ?? context.timeoutMs, options.minTimeoutMs ?? 0);
  }

  /**
   * Retrying: tries again after growing pauses, in which other calls have the connection. The entry keeps its
   * place in the order.
   * @throws DeviceError, and no other error
   */
  async run(): Promise<Answer> {
    const { entry } = this;
    const { environment, queue } = this.context;
    const { retryForMs = 0 } = this.options;
    let until: number | undefined;
    let last: DeviceError | undefined;
    for (let failures = 0; ; failures += 1) {
      try {
        return await (isLong(this.request.body) ? this.#signLong() : this.#sign());
      } catch (thrown) {
        const error = this.#errorOf(thrown);
        // If the call expired before this try could send, the error is that of the previous try.
        if (error === last) throw error;
        last = error;
        this.#error = error;
        this.#isUnclear ||= error.outcome === 'unknown';
      }
      if (!this.#mayTryAgain(last)) throw last;
      const now = environment.monotonic();
      until ??= now + retryForMs;
      const at = now + backoffMs(failures, backoff) * (1 + jitter * (environment.random() - 0.5));
      if (at > until || at >= entry.policy.expiresAt) throw last;
      try {
        if (entry.isEnded) throw superseded(entry);
        await queue.pauseForRetry(entry, at);
      } catch (reason) {
        throw this.#errorOf(reason);
      }
    }
  }

  #mayTryAgain({ code, outcome, statusCode }: DeviceError): boolean {
    if (!this.options.retryForMs || this.entry.abort.reason) return false;
    if (code === 'ABORTED' || code === 'SUPERSEDED' || code === 'EXPIRED') return false;
    if (code === 'UNREACHABLE') return true;
    return this.#isIdempotent && (outcome === 'unknown' || statusCode === 503);
  }

  async #signLong(): Promise<Answer> {
    await longTransfers.enter(this.entry.abort);
    try {
      return await this.#sign();
    } finally {
      longTransfers.leave();
    }
  }

  /**
   * Signing: after a rejected login, adopts the device's clock once; then, once, adds the query to the signature
   * or removes the query from the signature (docs/field-notes.md 1 and 2).
   */
  async #sign(): Promise<Answer> {
    const { authentication } = this.context;
    let isClockAdjusted = false;
    let querySigned: boolean | undefined;
    this.#attemptsBefore = this.#attempts;
    for (;;) {
      const exchanged = await this.#exchange(querySigned);
      const result = this.#conclude(exchanged);
      if ('body' in result) return result;
      this.#error = result;
      const { statusCode, headers } = exchanged.answer;
      const isRejected = statusCode === 401 || statusCode === 403;
      if (!isRejected || !this.#hasAttemptLeft || this.entry.isEnded) throw result;
      if (!isClockAdjusted && authentication.adjustClock(headers.date)) isClockAdjusted = true;
      else if (querySigned === undefined && authentication.canToggleQuery(this.request))
        querySigned = !exchanged.authorized.querySigned;
      else throw result;
    }
  }

  /** One exchange, over another connection if the connection is lost. */
  async #exchange(querySigned: boolean | undefined): Promise<Exchanged> {
    const { request, entry } = this;
    const { authentication, connector, endpoint, environment, pool } = this.context;
    const { method, body } = request;
    const path = `${endpoint.basePath}${request.path}`;
    const { onProgress, reading } = this.options;
    const { abort } = entry;
    for (;;) {
      const connection =
        pool.takeIdle(this.#reuse, connector, entry) ??
        (await pool.open(connector, this.#connectLimitMs, entry, this.#wasReset));
      // Expiry and admission are checked only before the first request of the try, not before a repetition of
      // this request.
      const isFresh = this.#attempts === this.#attemptsBefore;
      const refusal = isFresh && entry.mustAsk ? await abort.admitted() : undefined;
      if (refusal || (isFresh && environment.monotonic() >= entry.policy.expiresAt)) {
        pool.giveBack(connection);
        throw refusal ?? Failure.own('EXPIRED', localized('noConnectionInTime'));
      }
      let authorized: Authorized | undefined;
      let answer: RawAnswer;
      try {
        // The request is signed just before sending, since the device rejects old timestamps.
        authorized = authentication.authorize(request, querySigned);
        answer = await connection.exchange(
          { method, path, headers: authorized.headers, body },
          {
            timeoutMs: this.#answerLimitMs,
            maxBytes: reading ? maxReadingBytes : maxAnswerBytes,
            abort,
            onProgress,
          },
        );
      } catch (error) {
        await this.#recordLoss(Failure.of(error), connection, authorized);
        continue;
      }
      pool.giveBack(connection);
      this.#recordAnswer(answer, authorized);
      return { answer, authorized };
    }
  }

  #recordAnswer(answer: RawAnswer, authorized: Authorized): void {
    const { roundTripMs, headers, statusCode, wireMs } = answer;
    this.#attempts += 1;
    this.#wireMs = wireMs;
    this.context.lastAnswer = { roundTripMs, date: headers.date, at: this.context.environment.now() };
    this.#trace(authorized, `status ${statusCode}`);
  }

  /** @throws Failure if the request must not be sent again */
  async #recordLoss(
    lost: Failure,
    connection: Connection,
    authorized: Authorized | undefined,
  ): Promise<void> {
    if (lost.progress.sent) {
      this.#attempts += 1;
      this.#wireMs = lost.progress.wireMs;
      if (authorized) this.#trace(authorized, `no response (${lost.code})`);
    }
    await this.context.pool.discard(connection);
    const failure = await this.#orWantsTls(lost);
    const shouldResend = this.#shouldResend(failure, connection);
    this.#wasReset = !connection.wasUsed && lostCodes.has(failure.code);
    if (!shouldResend || this.entry.isEnded) throw failure;
  }

  /**
   * After a failed http request to an address that has never answered, tests whether the address expects https.
   * An https server cannot have carried out the http request.
   * @returns a failure that recommends https, or the original failure
   */
  async #orWantsTls(failure: Failure): Promise<Failure> {
    const { code, progress } = failure;
    const { endpoint, lastAnswer } = this.context;
    if (endpoint.secure || !progress.sent || lastAnswer) return failure;
    // An idempotent request is just sent again after a reset. Servers that expect TLS close in an orderly way.
    const isClosed = this.#isIdempotent ? code === 'UND_ERR_SOCKET' : lostCodes.has(code);
    if (code !== 'NOT_HTTP' && (progress.answered || !isClosed)) return failure;
    const limitMs = Math.min(this.#connectLimitMs, maxProbeMs);
    if (!(await speaksTls(endpoint, limitMs, this.entry.abort))) return failure;
    const values = { port: String(endpoint.port), url: urlWithScheme('https', endpoint) };
    return Failure.own('WANTS_TLS', localized('wantsTls', values), progress);
  }

  /**
   * Whether to send the request again after a failure on the wire. An idempotent request is sent once more if
   * the connection was lost before an answer. Any request is sent again if the device had already closed the
   * kept connection.
   */
  #shouldResend({ code, progress }: Failure, connection: Connection): boolean {
    if (!progress.sent) return lostCodes.has(code) && (connection.wasUsed || !this.#wasReset);
    if (!this.#isIdempotent || this.#isUnclear || progress.answered || !lostCodes.has(code)) return false;
    this.#isUnclear = true;
    return this.#hasAttemptLeft;
  }

  get #hasAttemptLeft(): boolean {
    return this.#attempts - this.#attemptsBefore < maxAttempts;
  }

  get #answerLimitMs(): number {
    const { withinMs } = this.options;
    if (withinMs === undefined) return this.#limitMs;
    const spentMs = this.context.environment.monotonic() - this.#started;
    return Math.max(0, Math.min(this.#limitMs, withinMs - spentMs));
  }

  get #connectLimitMs(): number {
    return Math.min(this.#answerLimitMs, this.context.timeoutMs);
  }

  get #reuse(): Reuse {
    if (this.#isUnclear) return 'none';
    return this.#isIdempotent ? 'any' : 'recent';
  }

  #trace({ shown }: Authorized, result: string): void {
    const { trace } = this.context.environment;
    if (this.options.reading || !trace) return;
    const { clockOffsetMs } = this.context.authentication;
    const clock = clockOffsetMs === undefined ? 'not known' : `${seconds(clockOffsetMs)} s`;
    const { method, path, namesPassword } = this.request;
    try {
      // The signed text has the hash of the body, by which the password could be guessed.
      const signed = namesPassword ? 'names a password' : shown();
      const line = `${method} ${path}: ${signed}, clock offset ${clock}: ${result}`;
      trace(path.includes('?') ? maskSecrets(line) : line);
    } catch {
      // The error is ignored, since a failed trace must not change the result of the request.
    }
  }

  #conclude({ answer, authorized }: Exchanged): Answer | DeviceError {
    const { authentication, endpoint } = this.context;
    if (isSuccess(answer)) authentication.rememberQuery(this.request, authorized);
    const { answer: kind } = this.options;
    const { namesPassword } = this.request;
    const conclusion = responseResultOf(answer, {
      endpoint,
      kind,
      authorization: authorized.headers.Authorization,
      isHidden: namesPassword === true,
      clock: () => authentication.readClock(answer.headers.date),
    });
    if (conclusion.classification) return this.#toError(conclusion.classification, conclusion.details);
    const { statusCode } = answer;
    const mark = namesPassword && { namesPassword };
    return { statusCode, body: conclusion.body, attempts: this.#attempts, wireMs: this.#wireMs, ...mark };
  }

  /** Returns the error of any exception. A call that is superseded or expires keeps the error of its last request. */
  #errorOf(thrown: unknown): DeviceError {
    if (thrown instanceof DeviceError) return thrown;
    const isSent = this.#attempts > 0;
    const failure =
      thrown instanceof Failure ? thrown : Failure.of(thrown, { sent: isSent, answered: false });
    const last = this.#error;
    const isEnded = failure.code === 'EXPIRED' || (isSent && failure.code === 'SUPERSEDED');
    if (last && isEnded && last.attempts === this.#attempts) return last;
    const { endpoint, timeoutMs } = this.context;
    // Error messages name the configured limit, not the time that was left.
    const answerLimitMs = Math.min(this.#limitMs, this.options.withinMs ?? this.#limitMs);
    const connectLimitMs = Math.min(answerLimitMs, timeoutMs);
    const classification = classifyFailure(failure, { endpoint, connectLimitMs, answerLimitMs });
    const { statusCode } = failure.progress;
    const details = { cause: failure.cause ?? failure, ...(statusCode !== undefined && { statusCode }) };
    const { code, reason } = classification;
    // If nothing was sent this time, but the result of an earlier request is unknown, the outcome is unknown.
    const isUnsent = code === 'UNREACHABLE' || code === 'SUPERSEDED' || code === 'EXPIRED';
    if (!this.#isUnclear || !isUnsent) return this.#toError(classification, details);
    const words = localized('lostAndThen', { reason });
    return this.#toError({ code: 'PROTOCOL', outcome: 'unknown', reason: words }, details);
  }

  #toError({ code, outcome, reason }: Classification, details: ErrorDetails): DeviceError {
    const isUnknown = outcome === 'unknown' || this.#isUnclear;
    const mayBeDone = isUnknown && this.request.method !== 'GET';
    const words = mayBeDone ? joinMessages([reason, localized('mightBeDone')]) : reason;
    return new DeviceError(code, words, {
      ...details,
      place: this.context.deviceLabel,
      operationName: this.options.operationName,
      sent: this.#attempts > 0,
      outcome: isUnknown ? 'unknown' : outcome,
      attempts: this.#attempts,
      wireMs: this.#wireMs,
    });
  }
}
