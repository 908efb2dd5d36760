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

export function isAnswer(result: Answer | DeviceError): result is Answer {
  return 'body' in result;
}

/**
 * Sends the requests of one call, which ends with one answer or one error. Each try sends at most three
 * requests.
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
  #clockAdjusted = false;
  #querySigned: boolean | undefined;
  /** Whether the last new connection was lost. A device that serves one connection might reset a second one. */
  #wasReset = false;

  constructor(
    private readonly request: WireRequest,
    readonly options: FullOptions,
    readonly entry: QueueEntry,
    readonly context: ExecutionContext,
  ) {
    this.#started = context.environment.monotonic();
    this.isIdempotent = request.method === 'GET' || options.repeatable === true;
    this.#limitMs = Math.max(options.timeoutMs ?? context.timeoutMs, options.minTimeoutMs ?? 0);
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

  /**
   * Makes one try. Each try can sign again at most twice: once with the device's time, and once with or
   * without the query. Never rejects.
   */
  async try(): Promise<Answer | DeviceError> {
    this.#answer = undefined;
    this.#clockAdjusted = false;
    this.#querySigned = undefined;
    this.#attemptsBefore = this.#attempts;
    try {
      return await (isLong(this.request.body) ? this.#performLong() : this.#perform());
    } catch (error) {
      this.#error = this.errorOf(error);
      this.#unclear ||= this.#error.outcome === 'unknown';
      return this.#error;
    }
  }

  async #performLong(): Promise<Answer> {
    await longTransfers.enter(this.entry.abort);
    try {
      return await this.#perform();
    } finally {
      longTransfers.leave();
    }
  }

  async #perform(): Promise<Answer> {
    const { connector, pool } = this.context;
    const { entry } = this;
    const { abort } = entry;
    for (;;) {
      const connection =
        pool.takeIdle(this.#reuse, connector, entry) ??
        (await pool.open(connector, this.#connectLimitMs, entry, this.#wasReset));
      // Expiry and admission are checked only before the first request of the try, not before a repetition of
      // this request.
      const isFresh = this.#attempts === this.#attemptsBefore;
      const refusal = isFresh && this.entry.mustAsk ? await abort.admitted() : undefined;
      if (refusal || (isFresh && this.context.environment.monotonic() >= this.entry.policy.expiresAt)) {
        pool.giveBack(connection);
        throw refusal ?? this.#error ?? expiredFailure();
      }
      let exchanged: Exchanged;
      try {
        exchanged = await this.#exchange(connection);
      } catch (error) {
        await pool.discard(connection);
        const failure = await detectHttps(Failure.of(error), this, this.#connectLimitMs, abort);
        const shouldResend = this.#shouldResend(failure, connection);
        this.#wasReset = !connection.wasUsed && lostCodes.has(failure.code);
        if (shouldResend && !this.entry.isEnded) continue;
        throw failure;
      }
      pool.giveBack(connection);
      this.#record(exchanged);
      const concluded = this.#conclude(exchanged);
      if (isAnswer(concluded)) return concluded;
      this.#error = concluded;
      if (this.entry.isEnded || !this.#shouldSignAgain(exchanged)) throw concluded;
    }
  }

  get #reuse(): Reuse {
    if (this.#unclear) return 'none';
    return this.isIdempotent ? 'any' : 'recent';
  }

  async #exchange(connection: Connection): Promise<Exchanged> {
    const { method, body } = this.request;
    const path = `${this.context.endpoint.basePath}${this.request.path}`;
    // The request is signed just before sending, since the device rejects old timestamps.
    const authorized = this.context.authentication.authorize(this.request, this.#querySigned);
    const { onProgress, reading } = this.options;
    const outgoing = { method, path, headers: authorized.headers, body };
    const maxBytes = reading ? maxReadingBytes : maxAnswerBytes;
    const limitMs = this.#answerLimitMs;
    try {
      const answer = await connection.exchange(outgoing, limitMs, maxBytes, this.entry.abort, onProgress);
      this.#attempts += 1;
      this.#wireMs = answer.wireMs;
      this.#answer = answer;
      return { answer, authorized };
    } catch (error) {
      const failure = Failure.of(error);
      if (failure.progress.sent) {
        this.#attempts += 1;
        this.#wireMs = failure.progress.wireMs;
        this.#trace(authorized, `no response (${failure.code})`);
      }
      throw failure;
    }
  }

  #record({ answer, authorized }: Exchanged): void {
    this.context.roundTripMs = answer.roundTripMs;
    this.context.date = answer.headers.date;
    this.context.dateAt = this.context.environment.now();
    this.#trace(authorized, `status ${answer.statusCode}`);
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
    return this.#attempts - this.#attemptsBefore < maxAttempts;
  }

  /**
   * Whether to send the request again after a rejected login. First the client adopts the device's clock
   * once, then, once, adds the query to the signature or removes it from the signature (docs/field-notes.md 1
   * and 2).
   */
  #shouldSignAgain({ answer: { statusCode, headers }, authorized }: Exchanged): boolean {
    if ((statusCode !== 401 && statusCode !== 403) || this.#attempts - this.#attemptsBefore >= maxAttempts)
      return false;
    const { authentication } = this.context;
    if (!this.#clockAdjusted && authentication.adjustClock(headers.date)) {
      this.#clockAdjusted = true;
      return true;
    }
    if (this.#querySigned !== undefined || !authentication.canToggleQuery(this.request)) return false;
    this.#querySigned = !authorized.querySigned;
    return true;
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
  errorOf(error: unknown): DeviceError {
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
    private readonly random: () => number,
  ) {}

  /**
   * Returns the time of the next try; undefined if no try follows. All times are on the monotonic clock, in
   * milliseconds.
   * @param expiresAt expiry of the call
   */
  next(error: DeviceError, now: number, expiresAt: number): number | undefined {
    if (this.forMs <= 0 || !this.#mayGoAgain(error)) return undefined;
    this.#until ??= now + this.forMs;
    const at = now + backoffMs(this.#failures, backoff) * (1 + jitter * (this.random() - 0.5));
    this.#failures += 1;
    return at <= this.#until && at < expiresAt ? at : undefined;
  }

  #mayGoAgain({ code, outcome, statusCode }: DeviceError): boolean {
    if (code === 'ABORTED' || code === 'SUPERSEDED' || code === 'EXPIRED') return false;
    if (code === 'UNREACHABLE') return true;
    return this.isIdempotent && (outcome === 'unknown' || statusCode === 503);
  }
}

/** @throws DeviceError, and no other error */
export async function tryAgain(run: Execution, first: DeviceError): Promise<Answer> {
  const { context, isIdempotent, options, entry } = run;
  const { environment } = context;
  const retry = new Retry(options.retryForMs ?? 0, isIdempotent, environment.random);
  let tried: Answer | DeviceError = first;
  while (!isAnswer(tried)) {
    const next = retry.next(tried, environment.monotonic(), entry.policy.expiresAt);
    if (next === undefined || entry.abort.reason) throw tried;
    // A stop has superseded the start: a sent start keeps its error, an unsent start ends as superseded.
    if (entry.isEnded) throw tried.attempts > 0 ? tried : run.errorOf(superseded(entry));
    await context.queue.pauseForRetry(entry, next).catch((reason: unknown) => {
      throw run.errorOf(reason);
    });
    const again = await run.try();
    // If the call expired before this try could send, the error of the previous try is kept.
    if (!isAnswer(again) && again.code === 'EXPIRED') throw tried;
    tried = again;
  }
  return tried;
}

const scheduler = /^\/api\/schedules(\?|$)/;

/**
 * Section 5 allows Basic only over HTTPS. Section 4.13 allows the scheduler only with authentication over
 * HTTPS.
 */
function risksOf({ path }: WireRequest, auth: DeviceSettings['auth'], { secure }: Endpoint): string[] {
  const risks: string[] = [];
  if (auth === 'basic' && !secure) {
    risks.push('Basic authentication over http exposes the password to the network: use https');
  }
  if (scheduler.test(path) && (auth === 'none' || !secure)) {
    risks.push('use the scheduler over https with Standard or Basic authentication');
  }
  return risks;
}

export class SecurityWarnings {
  readonly #warnedRisks: string[] = [];

  constructor(
    private readonly settings: Pick<DeviceSettings, 'auth' | 'isVirtual'>,
    private readonly context: Pick<ExecutionContext, 'endpoint' | 'environment' | 'deviceLabel'>,
  ) {}

  warnOf(request: WireRequest): void {
    const { endpoint, environment, deviceLabel } = this.context;
    const { auth, isVirtual } = this.settings;
    if (isVirtual) return;
    for (const risk of risksOf(request, auth, endpoint)) {
      if (this.#warnedRisks.includes(risk)) continue;
      this.#warnedRisks.push(risk);
      environment.warn(`${deviceLabel}: ${risk}`);
    }
  }
}
