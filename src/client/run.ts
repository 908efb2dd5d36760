import type { Endpoint } from './address';
import { readBody } from './answer';
import type { Authentication, Authorized } from './authentication';
import type { Answer, FullOptions, WireRequest } from './call';
import { classifyAnswer, classifyFailure, refusalOf, seconds, type Verdict, withoutSecret } from './classify';
import type { Connection } from './connection';
import type { Environment } from './environment';
import { DeviceError, type ErrorDetails } from './errors';
import type { RawAnswer } from './exchange';
import { Failure } from './failure';
import type { Lane, Reuse } from './lane';
import type { Place } from './place';
import { isLong, longTransfers } from './transfer';

/** More requests than this are never sent for one call. */
const mostAttempts = 3;

/** How Node and undici say that the socket was gone. */
const lostCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);

/** The codes that say that nothing was sent. */
const notSentCodes = new Set<string>(['UNREACHABLE', 'SUPERSEDED', 'EXPIRED']);

/** What the runs of a client share. */
export interface RunContext {
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
}

/** A request's answer, and how it was signed. */
interface Exchanged {
  readonly answer: RawAnswer;
  readonly authorized: Authorized;
}

/** One call from leaving the queue to its answer: at most three requests, and one error that says it all. */
export class Run {
  readonly #started: number;
  readonly #safe: boolean;
  readonly #limitMs: number;
  #attempts = 0;
  /** A request was sent whose fate is not known. */
  #unclear = false;
  #clockAdjusted = false;
  /** The form of signature to try now, where it is not the remembered one. */
  #querySigned: boolean | undefined;

  constructor(
    private readonly request: WireRequest,
    private readonly options: FullOptions,
    private readonly place: Place,
    private readonly lane: Lane,
    private readonly context: RunContext,
  ) {
    this.#started = context.environment.monotonic();
    this.#safe = request.method === 'GET' || options.repeatable === true;
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

  /** @throws DeviceError */
  async perform(): Promise<Answer> {
    const { body } = this.request;
    if (!body || !isLong(body)) return this.#perform();
    try {
      await longTransfers.enter(this.place.abort);
    } catch (error) {
      throw this.#fail(Failure.of(error));
    }
    try {
      return await this.#perform();
    } finally {
      longTransfers.leave();
    }
  }

  async #perform(): Promise<Answer> {
    for (;;) {
      const connection = this.lane.takeKept(this.#reuse) ?? (await this.#connect());
      if (this.#isTooLate) {
        this.lane.giveBack(connection);
        throw this.#fail(Failure.own('EXPIRED', 'no connection in time'));
      }
      let exchanged: Exchanged;
      try {
        exchanged = await this.#exchange(connection);
      } catch (error) {
        await this.lane.discard(connection);
        const failure = Failure.of(error);
        if (this.#goesAgain(failure, connection)) continue;
        throw this.#fail(failure);
      }
      this.lane.giveBack(connection);
      if (this.#signsAgain(exchanged)) continue;
      return this.#conclude(exchanged);
    }
  }

  /** Its time was over before anything of it was sent. */
  get #isTooLate(): boolean {
    return this.#attempts === 0 && this.context.environment.monotonic() >= this.place.claim.expiresAt;
  }

  get #reuse(): Reuse {
    if (this.#unclear) return 'none';
    return this.#safe ? 'any' : 'recent';
  }

  async #connect(): Promise<Connection> {
    try {
      return await this.lane.open(this.#connectLimitMs, this.place.abort);
    } catch (error) {
      throw this.#fail(Failure.of(error));
    }
  }

  async #exchange(connection: Connection): Promise<Exchanged> {
    const { method, path, body } = this.request;
    // Signed only now: it may have waited, and the device refuses what is too old.
    const authorized = this.context.authentication.authorize(this.request, this.#querySigned);
    const { headers } = authorized;
    const outgoing = { method, path: `${this.context.endpoint.basePath}${path}`, headers, body };
    try {
      const { onProgress } = this.options;
      const answer = await connection.exchange(outgoing, this.#answerLimitMs, this.place.abort, onProgress);
      this.#attempts += 1;
      this.context.roundTripMs = answer.roundTripMs;
      this.context.date = answer.headers.date;
      this.context.dateAt = this.context.environment.now();
      this.#trace(authorized, `status ${answer.statusCode}`);
      return { answer, authorized };
    } catch (error) {
      const failure = Failure.of(error);
      if (failure.progress.sent) {
        this.#attempts += 1;
        this.#trace(authorized, `no answer (${failure.code})`);
      }
      throw failure;
    }
  }

  #trace({ shown }: Authorized, result: string): void {
    if (this.options.reading) return;
    const { clockOffsetMs } = this.context.authentication;
    const clock = clockOffsetMs === undefined ? 'not known' : seconds(clockOffsetMs);
    const line = `${this.request.method} ${this.request.path}: ${shown()}, clock offset ${clock}: ${result}`;
    this.context.environment.trace(line);
  }

  /** After a failure on the wire: what was never written always may, what is safe to repeat may once. */
  #goesAgain({ code, progress }: Failure, connection: Connection): boolean {
    if (!progress.sent) return code === 'CONNECTION_GONE' && connection.wasUsed;
    if (!this.#safe || this.#unclear || progress.answered || !lostCodes.has(code)) return false;
    this.#unclear = true;
    return this.#attempts < mostAttempts;
  }

  /** After a refused login (field-notes.md 1 and 2): once in the device's clock, then once the other query. */
  #signsAgain({ answer: { statusCode, headers }, authorized }: Exchanged): boolean {
    if ((statusCode !== 401 && statusCode !== 403) || this.#attempts >= mostAttempts) return false;
    const { authentication } = this.context;
    if (!this.#clockAdjusted && authentication.adjustClock(headers.date)) {
      this.#clockAdjusted = true;
      return true;
    }
    if (this.#querySigned !== undefined || !authentication.canToggleQuery(this.request)) return false;
    this.#querySigned = !authorized.querySigned;
    return true;
  }

  #conclude({ answer, authorized }: Exchanged): Answer {
    const { statusCode } = answer;
    if (statusCode < 200 || statusCode >= 300) throw this.#refusal({ answer, authorized });
    this.context.authentication.rememberQuery(this.request, authorized);
    const body = this.#read(withoutSecret(answer, authorized.secret));
    return { statusCode, body, attempts: this.#attempts, latencyMs: this.#latencyMs() };
  }

  #refusal({ answer, authorized }: Exchanged): DeviceError {
    const { response, words } = refusalOf(answer, authorized.secret);
    const clock = this.context.authentication.readClock(answer.headers.date);
    const verdict = classifyAnswer(answer, words, clock, this.context.endpoint);
    return this.#error(verdict, { statusCode: answer.statusCode, response });
  }

  #read(answer: RawAnswer): unknown {
    try {
      return readBody(answer, this.options.answer);
    } catch (error) {
      throw this.#fail(Failure.of(error, { sent: true, answered: true }), answer.statusCode);
    }
  }

  #fail(failure: Failure, statusCode?: number): DeviceError {
    const verdict = classifyFailure(failure, {
      endpoint: this.context.endpoint,
      connectLimitMs: this.#connectLimitMs,
      answerLimitMs: this.#answerLimitMs,
    });
    const details = { cause: failure.cause ?? failure, ...(statusCode === undefined ? {} : { statusCode }) };
    // Nothing was sent this time, but something was before, and nobody knows what became of it.
    if (!this.#unclear || !notSentCodes.has(verdict.code)) return this.#error(verdict, details);
    const reason = `the connection was lost before an answer came, and then ${verdict.reason}`;
    return this.#error({ code: 'PROTOCOL', outcome: 'unknown', reason }, details);
  }

  #error({ code, outcome, reason }: Verdict, details: ErrorDetails): DeviceError {
    const isUnknown = outcome === 'unknown' || this.#unclear;
    const tail = isUnknown && this.request.method !== 'GET' ? '; it may have been done' : '';
    const error = new DeviceError(code, `${this.options.deed} at ${this.context.place}: ${reason}${tail}`, {
      ...details,
      deed: this.options.deed,
      sent: this.#attempts > 0,
      outcome: isUnknown ? 'unknown' : outcome,
      attempts: this.#attempts,
    });
    error.latencyMs = this.#latencyMs();
    return error;
  }

  #latencyMs(): number {
    return Math.round(this.context.environment.monotonic() - this.#started);
  }
}
