import { joinMessages, localized } from '../catalogue/localized-message';
import { backoffMs } from '../time/backoff';
import type { Authentication, Authorized } from './authentication';
import type { Answer, FullOptions, WireRequest } from './call';
import {
  type Classification,
  classifyFailure,
  detectHttps,
  expiredFailure,
  isSuccess,
  responseResultOf,
  seconds,
  unreadable,
  withUnknownOutcome,
} from './classify';
import type { Environment } from './environment';
import { DeviceError, type ErrorDetails } from './errors';
import { endedCodes, Failure, lostCodes, notSentCodes } from './failure';
import type { Connection } from './http/connection';
import { isLong, longTransfers, maxAnswerBytes, maxReadingBytes, type RawAnswer } from './http/exchange';
import type { ConnectionPool, Connector, Reuse } from './http/pool';
import { type QueueEntry, superseded } from './queue/entry';
import type { Queue } from './queue/queue';
import { maskSecrets } from './secrets';
import type { DeviceSettings, Endpoint } from './settings';

export interface ExecutionContext {
  readonly deviceLabel: string;
  readonly endpoint: Endpoint;
  readonly timeoutMs: number;
  readonly environment: Environment;
  readonly authentication: Authentication;
  roundTripMs: number | undefined;
  /**
   * The `Date` header of the last answer; undefined if there is none. `dateAt` is the time at which that
   * answer arrived, in epoch milliseconds.
   */
  date: string | undefined;
  dateAt: number;
  readonly connector: Connector;
  readonly pool: ConnectionPool;
  readonly queue: Pick<Queue, 'pauseForRetry'>;
}

const maxAttempts = 3;

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
  #wireMs: number | undefined;
  readonly isIdempotent: boolean;
  readonly #limitMs: number;
  #attempts = 0;
  #attemptsBefore = 0;
  #error: DeviceError | undefined;
  #answer: RawAnswer | undefined;
  /**
   * Whether the result of a sent request is unknown. A number means unknown too: it is the status of an
   * answer that might belong to another request.
   */
  #unclear: boolean | number = false;
  /** Whether the last new connection was lost. A device that serves one connection might reset a second one. */
  #wasReset = false;

  constructor(
    private readonly request: WireRequest,
    private readonly options: FullOptions,
    private readonly entry: QueueEntry,
    readonly context: ExecutionContext,
  ) {
    this.#started = context.environment.monotonic();
    this.isIdempotent = request.method === 'GET' || options.repeatable === true;
    this.#limitMs = Math.max(options.timeoutMs ?? context.timeoutMs, options.minTimeoutMs ?? 0);
  }

  /**
   * Retrying: tries again after growing pauses, in which other calls have the connection. The entry keeps its
   * place in the order.
   * @throws DeviceError, and no other error
   */
  async run(): Promise<Answer> {
    let retry: Retry | undefined;
    let last: DeviceError | undefined;
    for (;;) {
      try {
        return await (isLong(this.request.body) ? this.#trySignedLong() : this.#trySigned());
      } catch (error) {
        const failed = this.#errorOf(error);
        // If the call expired before this try could send, the error of the previous try is kept.
        if (last && failed.code === 'EXPIRED') throw last;
        last = failed;
        this.#error = failed;
        this.#unclear ||= failed.outcome === 'unknown';
      }
      retry ??= new Retry(this.options.retryForMs ?? 0, this.isIdempotent, this.context.environment);
      await this.#pause(retry.next(last, this.entry.policy.expiresAt), last);
    }
  }

  /** @throws DeviceError if no try follows */
  async #pause(until: number | undefined, failed: DeviceError): Promise<void> {
    const { entry } = this;
    if (until === undefined || entry.abort.reason) throw failed;
    try {
      // A stop has superseded the start: a sent start keeps its error, an unsent start ends as superseded.
      if (entry.isEnded) throw failed.attempts > 0 ? failed : superseded(entry);
      await this.context.queue.pauseForRetry(entry, until);
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  async #trySignedLong(): Promise<Answer> {
    await longTransfers.enter(this.entry.abort);
    try {
      return await this.#trySigned();
    } finally {
      longTransfers.leave();
    }
  }

  /**
   * Signing: after a rejected login, adopts the device's clock once; then, once, adds the query to the signature
   * or removes the query from the signature (docs/field-notes.md 1 and 2).
   */
  async #trySigned(): Promise<Answer> {
    const { authentication } = this.context;
    let isClockAdjusted = false;
    let querySigned: boolean | undefined;
    this.#answer = undefined;
    this.#attemptsBefore = this.#attempts;
    for (;;) {
      const exchanged = await this.#exchange(querySigned);
      const concluded = this.#conclude(exchanged);
      if ('body' in concluded) return concluded;
      this.#error = concluded;
      const { statusCode, headers } = exchanged.answer;
      const isRejected = statusCode === 401 || statusCode === 403;
      if (!isRejected || !this.#hasAttemptLeft || this.entry.isEnded) throw concluded;
      if (!isClockAdjusted && authentication.adjustClock(headers.date)) isClockAdjusted = true;
      else if (querySigned === undefined && authentication.canToggleQuery(this.request))
        querySigned = !exchanged.authorized.querySigned;
      else throw concluded;
    }
  }

  /** One exchange, over another connection if the connection is lost. */
  async #exchange(querySigned: boolean | undefined): Promise<Exchanged> {
    const { request, entry } = this;
    const { authentication, connector, endpoint, environment, pool } = this.context;
    const { method, body } = request;
    const path = `${endpoint.basePath}${request.path}`;
    const { onProgress, reading } = this.options;
    const maxBytes = reading ? maxReadingBytes : maxAnswerBytes;
    for (;;) {
      const connection =
        pool.takeIdle(this.#reuse, connector, entry) ??
        (await pool.open(connector, this.#connectLimitMs, entry, this.#wasReset));
      // Expiry and admission are checked only before the first request of the try, not before a repetition of
      // this request.
      const isFresh = this.#attempts === this.#attemptsBefore;
      const refusal = isFresh && entry.mustAsk ? await entry.abort.admitted() : undefined;
      if (refusal || (isFresh && environment.monotonic() >= entry.policy.expiresAt)) {
        pool.giveBack(connection);
        throw refusal ?? this.#error ?? expiredFailure();
      }
      let authorized: Authorized | undefined;
      let answer: RawAnswer;
      try {
        // The request is signed just before sending, since the device rejects old timestamps.
        authorized = authentication.authorize(request, querySigned);
        const outgoing = { method, path, headers: authorized.headers, body };
        answer = await connection.exchange(outgoing, this.#answerLimitMs, maxBytes, entry.abort, onProgress);
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
    const { context } = this;
    this.#attempts += 1;
    this.#wireMs = answer.wireMs;
    this.#answer = answer;
    context.roundTripMs = answer.roundTripMs;
    context.date = answer.headers.date;
    context.dateAt = context.environment.now();
    this.#trace(authorized, `status ${answer.statusCode}`);
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
    const failure = await detectHttps(lost, this, this.#connectLimitMs, this.entry.abort);
    const shouldResend = this.#shouldResend(failure, connection);
    this.#wasReset = !connection.wasUsed && lostCodes.has(failure.code);
    if (!shouldResend || this.entry.isEnded) throw failure;
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
    if (this.#unclear) return 'none';
    return this.isIdempotent ? 'any' : 'recent';
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

  /**
   * Whether to send the request again after a failure on the wire. An idempotent request is sent once more if
   * the connection was lost before an answer. Any request is sent again if the device had already closed the
   * kept connection.
   */
  #shouldResend({ code, progress }: Failure, connection: Connection): boolean {
    if (!progress.sent) return lostCodes.has(code) && (connection.wasUsed || !this.#wasReset);
    if (!this.isIdempotent || this.#unclear || progress.answered || !lostCodes.has(code)) return false;
    this.#unclear = progress.statusCode ?? true;
    return this.#hasAttemptLeft;
  }

  #conclude({ answer, authorized }: Exchanged): Answer | DeviceError {
    const { authentication, endpoint } = this.context;
    // The repetition got the same status, so this status also answers the first request.
    if (answer.statusCode === this.#unclear) this.#unclear = false;
    if (isSuccess(answer)) authentication.rememberQuery(this.request, authorized);
    const clock = () => authentication.readClock(answer.headers.date);
    const { Authorization: authorization } = authorized.headers;
    const kind = this.options.answer;
    const isHidden = this.request.namesPassword === true;
    const conclusion = responseResultOf(answer, { endpoint, kind, authorization, isHidden, clock });
    if (conclusion.classification) return this.#toError(conclusion.classification, conclusion.details);
    const { statusCode } = answer;
    const mark = isHidden && { namesPassword: true as const };
    return { statusCode, body: conclusion.body, attempts: this.#attempts, wireMs: this.#wireMs, ...mark };
  }

  /**
   * Returns the error of any exception. If an answer has arrived, its status decides the error of an
   * unexpected exception.
   */
  #errorOf(error: unknown): DeviceError {
    if (error instanceof DeviceError) return error;
    if (error instanceof Failure) return this.#fail(error);
    if (!this.#answer) return this.#fail(Failure.of(error, { sent: this.#attempts > 0, answered: false }));
    const { classification, details } = unreadable(this.#answer, this.context.endpoint, error);
    return this.#toError(classification, details);
  }

  #fail(failure: Failure): DeviceError {
    // If the call was superseded or expired after a sent request, the error of the sent request is kept.
    const before = endedCodes.has(failure.code) ? this.#error : undefined;
    if (before && before.attempts > 0 && before.attempts === this.#attempts) return before;
    const { statusCode } = failure.progress;
    const { endpoint, timeoutMs } = this.context;
    // Error messages name the configured limit, not the time that was left.
    const answerLimitMs = Math.min(this.#limitMs, this.options.withinMs ?? this.#limitMs);
    const connectLimitMs = Math.min(answerLimitMs, timeoutMs);
    const classification = classifyFailure(failure, { endpoint, connectLimitMs, answerLimitMs });
    const details = { cause: failure.cause ?? failure, ...(statusCode === undefined ? {} : { statusCode }) };
    // If nothing was sent this time, but the result of an earlier request is unknown, the outcome is unknown.
    if (!this.#unclear || !notSentCodes.has(classification.code))
      return this.#toError(classification, details);
    return this.#toError(withUnknownOutcome(classification), details);
  }

  #toError({ code, outcome, reason }: Classification, details: ErrorDetails): DeviceError {
    const isUnknown = outcome === 'unknown' || this.#unclear !== false;
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

const backoff = { firstMs: 250, maxMs: 2_000 };

/**
 * Random share of the pause before a retry, so that a hundred devices behind one switch do not retry at the
 * same time.
 */
const jitter = 0.2;

class Retry {
  #until: number | undefined;
  #failures = 0;

  constructor(
    private readonly forMs: number,
    private readonly isIdempotent: boolean,
    private readonly environment: Pick<Environment, 'monotonic' | 'random'>,
  ) {}

  /**
   * Returns the time of the next try; undefined if no try follows. All times are on the monotonic clock, in
   * milliseconds.
   * @param expiresAt expiry of the call
   */
  next(error: DeviceError, expiresAt: number): number | undefined {
    if (this.forMs <= 0 || !this.#mayGoAgain(error)) return undefined;
    const now = this.environment.monotonic();
    this.#until ??= now + this.forMs;
    const at = now + backoffMs(this.#failures, backoff) * (1 + jitter * (this.environment.random() - 0.5));
    this.#failures += 1;
    return at <= this.#until && at < expiresAt ? at : undefined;
  }

  #mayGoAgain({ code, outcome, statusCode }: DeviceError): boolean {
    if (code === 'ABORTED' || code === 'SUPERSEDED' || code === 'EXPIRED') return false;
    if (code === 'UNREACHABLE') return true;
    return this.isIdempotent && (outcome === 'unknown' || statusCode === 503);
  }
}

const scheduler = /^\/api\/schedules(\?|$)/;

/**
 * Warns once of each risk: section 5 allows Basic only over HTTPS, and section 4.13 allows the scheduler only with
 * authentication over HTTPS.
 */
export class SecurityWarnings {
  readonly #warnedRisks: string[] = [];

  constructor(
    private readonly settings: Pick<DeviceSettings, 'auth' | 'isVirtual'>,
    private readonly context: Pick<ExecutionContext, 'endpoint' | 'environment' | 'deviceLabel'>,
  ) {}

  warnOf({ path }: WireRequest): void {
    const { auth, isVirtual } = this.settings;
    const { secure } = this.context.endpoint;
    if (isVirtual) return;
    if (auth === 'basic' && !secure)
      this.#warn('Basic authentication over http exposes the password to the network: use https');
    if (scheduler.test(path) && (auth === 'none' || !secure))
      this.#warn('use the scheduler over https with Standard or Basic authentication');
  }

  #warn(risk: string): void {
    if (this.#warnedRisks.includes(risk)) return;
    this.#warnedRisks.push(risk);
    this.context.environment.warn(`${this.context.deviceLabel}: ${risk}`);
  }
}
