import { backoffMs } from '../time/backoff';
import type { Authentication, Authorized } from './authentication';
import type { Answer, FullOptions, WireRequest } from './call';
import {
  afterLoss,
  atPlace,
  type Classification,
  classifyFailure,
  conclusionOf,
  explainScheme,
  isSuccess,
  notInTime,
  seconds,
  unreadable,
} from './classify';
import type { Environment } from './environment';
import { DeviceError, type ErrorDetails } from './errors';
import { endedCodes, Failure, lostCodes, notSentCodes } from './failure';
import type { Connection } from './http/connection';
import { isLong, longTransfers, maxAnswerBytes, maxReadingBytes, type RawAnswer } from './http/exchange';
import type { ConnectionPool, Connector, Reuse } from './http/pool';
import { type QueueEntry, superseded } from './queue/entry';
import type { Queue } from './queue/queue';
import type { DeviceSettings, Endpoint } from './settings';

/** What the runs of a client share. */
export interface ExecutionContext {
  /** Name and address, for sentences. */
  readonly place: string;
  readonly endpoint: Endpoint;
  /** The device's limit, in milliseconds. */
  readonly timeoutMs: number;
  readonly environment: Environment;
  readonly authentication: Authentication;
  /** Milliseconds from the last request's sending to the head of its answer. */
  roundTripMs: number | undefined;
  /** The `Date` of the last answer, and when it came, epoch milliseconds. */
  date: string | undefined;
  dateAt: number;
  readonly connector: Connector;
  readonly lanes: ConnectionPool;
  readonly queue: Pick<Queue, 'rest'>;
}

/** More requests than this are never sent in one try. */
const maxAttempts = 3;

/** A request's answer, and how it was signed. */
interface Exchanged {
  readonly answer: RawAnswer;
  readonly authorized: Authorized;
}

/** Returns whether a try brought an answer, and not the error that it came to. */
export function isAnswer(result: Answer | DeviceError): result is Answer {
  return 'body' in result;
}

/** One call from leaving the queue to its answer: at most three requests a try, and one error that says it all. */
export class Execution {
  readonly #started: number;
  /** The time on the wire of the last request that was sent, in milliseconds. */
  #wireMs: number | undefined;
  /** It may be done twice. */
  readonly isSafe: boolean;
  readonly #limitMs: number;
  #attempts = 0;
  /** Those of earlier tries. */
  #attemptsBefore = 0;
  /** What it came to so far. */
  #error: DeviceError | undefined;
  /** The last answer, whatever becomes of it. */
  #answer: RawAnswer | undefined;
  /** A request was sent whose fate is not known: the status that came in the place of its answer, or true. */
  #unclear: boolean | number = false;
  #clockAdjusted = false;
  /** The form of signature to try now, where it is not the remembered one. */
  #querySigned: boolean | undefined;

  constructor(
    private readonly request: WireRequest,
    readonly options: FullOptions,
    readonly place: QueueEntry,
    readonly context: ExecutionContext,
  ) {
    this.#started = context.environment.monotonic();
    this.isSafe = request.method === 'GET' || options.repeatable === true;
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

  /** Each try has its own limits, and may adapt to the device once more. Never rejects. */
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
    await longTransfers.enter(this.place.abort);
    try {
      return await this.#perform();
    } finally {
      longTransfers.leave();
    }
  }

  async #perform(): Promise<Answer> {
    const { connector, lanes } = this.context;
    const lane = lanes.of(this.place);
    const { abort } = this.place;
    for (;;) {
      const connection =
        lane.takeKept(this.#reuse, connector) ?? (await lane.open(connector, this.#connectLimitMs, abort));
      // What was sent in this try has begun, and is only signed or asked anew.
      const isFresh = this.#attempts === this.#attemptsBefore;
      const refusal = isFresh && this.place.mustAsk ? await abort.admitted() : undefined;
      if (refusal || (isFresh && this.context.environment.monotonic() >= this.place.claim.expiresAt)) {
        lane.giveBack(connection);
        throw refusal ?? this.#error ?? notInTime();
      }
      let exchanged: Exchanged;
      try {
        exchanged = await this.#exchange(connection);
      } catch (error) {
        await lane.discard(connection);
        const failure = await explainScheme(Failure.of(error), this, this.#connectLimitMs, abort);
        if (this.#goesAgain(failure, connection) && !this.place.isEnded) continue;
        throw failure;
      }
      lane.giveBack(connection);
      this.#note(exchanged);
      const concluded = this.#conclude(exchanged);
      if (isAnswer(concluded)) return concluded;
      this.#error = concluded;
      if (this.place.isEnded || !this.#signsAgain(exchanged)) throw concluded;
    }
  }

  get #reuse(): Reuse {
    if (this.#unclear) return 'none';
    return this.isSafe ? 'any' : 'recent';
  }

  async #exchange(connection: Connection): Promise<Exchanged> {
    const { method, body } = this.request;
    const path = `${this.context.endpoint.basePath}${this.request.path}`;
    // Signed only now: it may have waited, and the device refuses what is too old.
    const authorized = this.context.authentication.authorize(this.request, this.#querySigned);
    const { onProgress, reading } = this.options;
    const outgoing = { method, path, headers: authorized.headers, body };
    const maxBytes = reading ? maxReadingBytes : maxAnswerBytes;
    const limitMs = this.#answerLimitMs;
    try {
      const answer = await connection.exchange(outgoing, limitMs, maxBytes, this.place.abort, onProgress);
      this.#attempts += 1;
      this.#wireMs = answer.wireMs;
      this.#answer = answer;
      return { answer, authorized };
    } catch (error) {
      const failure = Failure.of(error);
      if (failure.progress.sent) {
        this.#attempts += 1;
        this.#wireMs = failure.progress.wireMs;
        this.#trace(authorized, `no answer (${failure.code})`);
      }
      throw failure;
    }
  }

  #note({ answer, authorized }: Exchanged): void {
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
    const { method, path } = this.request;
    try {
      trace(`${method} ${path}: ${shown()}, clock offset ${clock}: ${result}`);
    } catch {
      // What cannot be written down has happened all the same.
    }
  }

  /** After a failure on the wire: what was never written always may, what is safe to repeat may once. */
  #goesAgain({ code, progress }: Failure, connection: Connection): boolean {
    if (!progress.sent) return code === 'CONNECTION_GONE' && connection.wasUsed;
    if (!this.isSafe || this.#unclear || progress.answered || !lostCodes.has(code)) return false;
    this.#unclear = progress.statusCode ?? true;
    return this.#attempts - this.#attemptsBefore < maxAttempts;
  }

  /** After a refused login (docs/field-notes.md 1 and 2): once in the device's clock, then once the other query. */
  #signsAgain({ answer: { statusCode, headers }, authorized }: Exchanged): boolean {
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
    // The same once more is what the device answers: it was one before, too.
    if (answer.statusCode === this.#unclear) this.#unclear = false;
    if (isSuccess(answer)) authentication.rememberQuery(this.request, authorized);
    const clock = () => authentication.readClock(answer.headers.date);
    const { secrets } = authorized;
    const conclusion = conclusionOf(answer, { endpoint, kind: this.options.answer, secrets, clock });
    if (conclusion.verdict) return this.#toError(conclusion.verdict, conclusion.details);
    const { statusCode } = answer;
    return { statusCode, body: conclusion.body, attempts: this.#attempts, wireMs: this.#wireMs };
  }

  /** What came from below, or what nobody foresaw: then the status of the answer stands all the same. */
  errorOf(error: unknown): DeviceError {
    if (error instanceof DeviceError) return error;
    if (error instanceof Failure) return this.#fail(error);
    if (!this.#answer) return this.#fail(Failure.of(error, { sent: this.#attempts > 0, answered: false }));
    const { verdict, details } = unreadable(this.#answer, this.context.endpoint, error);
    return this.#toError(verdict, details);
  }

  #fail(failure: Failure): DeviceError {
    // What was sent stands, whatever keeps it from being sent once more.
    const before = endedCodes.has(failure.code) ? this.#error : undefined;
    if (before && before.attempts > 0 && before.attempts === this.#attempts) return before;
    const { statusCode } = failure.progress;
    const { endpoint, timeoutMs } = this.context;
    // What was asked: what is left of it by now means nothing to a person.
    const answerLimitMs = Math.min(this.#limitMs, this.options.withinMs ?? this.#limitMs);
    const connectLimitMs = Math.min(answerLimitMs, timeoutMs);
    const verdict = classifyFailure(failure, { endpoint, connectLimitMs, answerLimitMs });
    const details = { cause: failure.cause ?? failure, ...(statusCode === undefined ? {} : { statusCode }) };
    // Nothing was sent this time, but something was before, and nobody knows what became of it.
    if (!this.#unclear || !notSentCodes.has(verdict.code)) return this.#toError(verdict, details);
    return this.#toError(afterLoss(verdict), details);
  }

  #toError({ code, outcome, reason }: Classification, details: ErrorDetails): DeviceError {
    const isUnknown = outcome === 'unknown' || this.#unclear !== false;
    const mayBeDone = isUnknown && this.request.method !== 'GET';
    const sentence = atPlace(this.options.operationName, this.context.place, reason, mayBeDone);
    return new DeviceError(code, sentence, {
      ...details,
      operationName: this.options.operationName,
      sent: this.#attempts > 0,
      outcome: isUnknown ? 'unknown' : outcome,
      attempts: this.#attempts,
      wireMs: this.#wireMs,
    });
  }
}

const backoff = { firstMs: 250, maxMs: 2_000 };

/** How much of a pause is left to chance: a hundred devices that one switch took away come back together. */
const jitter = 0.2;

/** Whether and when what failed is tried again (docs/contract.md 2.5). */
class Retry {
  #until: number | undefined;
  #failures = 0;

  /**
   * @param forMs how long after its first failure it is tried again, in milliseconds
   * @param isSafe it may be done twice
   * @param random from 0 up to 1
   */
  constructor(
    private readonly forMs: number,
    private readonly isSafe: boolean,
    private readonly random: () => number,
  ) {}

  /**
   * When the next try begins after a failure, on the monotonic clock; undefined when there is none.
   * @param expiresAt when it is too late to be sent
   */
  next(error: DeviceError, now: number, expiresAt: number): number | undefined {
    if (this.forMs <= 0 || !this.#mayGoAgain(error)) return undefined;
    this.#until ??= now + this.forMs;
    const at = now + backoffMs(this.#failures, backoff) * (1 + jitter * (this.random() - 0.5));
    this.#failures += 1;
    return at <= this.#until && at < expiresAt ? at : undefined;
  }

  /** What surely was not done, and of what is safe to repeat also what is unclear or came at a bad moment. */
  #mayGoAgain({ code, outcome, statusCode }: DeviceError): boolean {
    if (code === 'ABORTED' || code === 'SUPERSEDED' || code === 'EXPIRED') return false;
    if (code === 'UNREACHABLE') return true;
    return this.isSafe && (outcome === 'unknown' || statusCode === 503);
  }
}

/**
 * After a first try that failed: tries again as long as the call's options say.
 * @throws DeviceError, and nothing else
 */
export async function tryAgain(run: Execution, first: DeviceError): Promise<Answer> {
  const { context, isSafe, options, place } = run;
  const { environment } = context;
  const retry = new Retry(options.retryForMs ?? 0, isSafe, environment.random);
  let tried: Answer | DeviceError = first;
  while (!isAnswer(tried)) {
    const next = retry.next(tried, environment.monotonic(), place.claim.expiresAt);
    if (next === undefined || place.abort.reason) throw tried;
    // What was sent stands; what was to be sent only now is what the end took out.
    if (place.isEnded) throw tried.attempts > 0 ? tried : run.errorOf(superseded(place));
    await context.queue.rest(place, next).catch((reason: unknown) => {
      throw run.errorOf(reason);
    });
    const again = await run.try();
    // That its time is over ends the trying: what it came to stands.
    if (!isAnswer(again) && again.code === 'EXPIRED') throw tried;
    tried = again;
  }
  return tried;
}

const scheduler = /^\/api\/schedules(\?|$)/;

/**
 * What a person should know of the way a request goes: section 5 allows Basic only over HTTPS, section 4.13 the
 * scheduler only with authentication over HTTPS.
 */
function risksOf({ path }: WireRequest, auth: DeviceSettings['auth'], { secure }: Endpoint): string[] {
  const risks: string[] = [];
  if (auth === 'basic' && !secure) {
    risks.push('Basic authentication over http shows the password to the whole network, use https');
  }
  if (scheduler.test(path) && (auth === 'none' || !secure)) {
    risks.push('the scheduler is meant to be used over https with Standard or Basic authentication');
  }
  return risks;
}

/** Says of each risk of one device's requests once that it is there. */
export class SecurityWarnings {
  readonly #said: string[] = [];

  constructor(
    private readonly settings: Pick<DeviceSettings, 'auth' | 'isVirtual'>,
    private readonly context: Pick<ExecutionContext, 'endpoint' | 'environment' | 'place'>,
  ) {}

  warnOf(request: WireRequest): void {
    const { endpoint, environment, place } = this.context;
    const { auth, isVirtual } = this.settings;
    if (isVirtual) return;
    for (const risk of risksOf(request, auth, endpoint)) {
      if (this.#said.includes(risk)) continue;
      this.#said.push(risk);
      environment.warn(`${place}: ${risk}`);
    }
  }
}
