import type { Operation } from '../catalogue/operation';
import { Abort } from './abort';
import { Authentication } from './authentication';
import type { Answer, CallOptions, FullOptions, SendOptions, WireRequest } from './call';
import { classifyFailure } from './classify';
import { Connector } from './connector';
import { type Environment, realEnvironment } from './environment';
import { DeviceError } from './errors';
import { Failure } from './failure';
import { Lane } from './lane';
import { Queue } from './queue';
import { buildRequest, checkRequest } from './request';
import { Run, type RunContext } from './run';
import { checkSettings, type DeviceSettings } from './settings';

export type { Answer, CallOptions, SendOptions, WireRequest } from './call';
export type { Environment } from './environment';

export type { DeviceSettings } from './settings';

/** One device. Keeps its connections, its clock's offset and what it learned about its signatures. */
export class DeviceClient {
  /** The normalized URL, without a trailing slash. */
  readonly address: string;
  readonly #settings: DeviceSettings;
  readonly #context: RunContext;
  readonly #connector: Connector;
  readonly #queue = new Queue();
  readonly #ordinary: Lane;
  #urgent: Lane | undefined;
  /** What is under way or waits. */
  #running: readonly Abort[] = [];
  #warned: readonly string[] = [];
  #closing: Promise<void> | undefined;
  /** Told when nothing is under way any more. */
  #onIdle: (() => void) | undefined;

  /** @throws DeviceError NOT_CONFIGURED when the settings cannot work */
  constructor(settings: DeviceSettings, environment: Partial<Environment> = {}) {
    this.#settings = settings;
    const endpoint = checkSettings(settings);
    const whole = { ...realEnvironment, ...environment };
    this.address = endpoint.url;
    this.#context = {
      place: settings.name === '' ? this.address : `"${settings.name}" (${this.address})`,
      endpoint,
      timeoutMs: settings.timeoutMs,
      environment: whole,
      authentication: new Authentication(settings, whole),
      roundTripMs: undefined,
      date: undefined,
      dateAt: 0,
    };
    this.#connector = new Connector(settings, endpoint, whole);
    this.#ordinary = new Lane(this.#connector);
  }

  /** The device's clock minus ours in milliseconds, by the `Date` of its last answer: to the second. */
  get clockOffsetMs(): number | undefined {
    const { authentication, date, dateAt } = this.#context;
    const theirs = Date.parse(date ?? '');
    return Number.isNaN(theirs) ? authentication.clockOffsetMs : theirs - dateAt;
  }

  /** Milliseconds from the last request's sending to the head of its answer. */
  get roundTripMs(): number | undefined {
    return this.#context.roundTripMs;
  }

  /**
   * Does one operation of the catalogue.
   * @param parameters by their wire names, already checked
   * @throws DeviceError
   */
  call(
    operation: Operation,
    parameters: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<Answer> {
    const { repeatable, urgent, answer, route, minTimeoutMs = 0 } = operation;
    const timeoutMs = Math.max(options.timeoutMs ?? this.#settings.timeoutMs, minTimeoutMs);
    const full = { deed: route, ...options, timeoutMs, repeatable, urgent, answer };
    return this.#start(() => buildRequest(operation, parameters), full);
  }

  /**
   * Sends a request made by hand, signed like any other: files, multipart, `algo-request`.
   * @throws DeviceError
   */
  send(request: WireRequest, options: SendOptions = {}): Promise<Answer> {
    const make = () => {
      checkRequest(request);
      return request;
    };
    return this.#start(make, { deed: `${request.method} ${request.path}`, ...options });
  }

  /** Aborts what is under way and what waits with ABORTED. Resolves when no socket is left. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    for (const abort of this.#running) abort.abort(closedMeanwhile());
    if (this.#running.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await Promise.all([this.#ordinary.close(), this.#urgent?.close()]);
  }

  /** From the request to its end; the caller's signal or `close` ends it earlier. */
  async #start(make: () => WireRequest, options: FullOptions): Promise<Answer> {
    const { signal, urgent } = options;
    const abort = new Abort();
    const onAbort = signal && (() => abort.abort(Failure.own('ABORTED', whyAborted(signal))));
    if (onAbort) signal.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort?.();
    if (this.#closing) abort.abort(closedMeanwhile());
    this.#running = this.#running.concat(abort);
    let hasTurn = false;
    try {
      const request = make();
      this.#warnOfRisks(request);
      const turn = urgent ? undefined : this.#queue.enter(abort);
      // Mostly the turn comes at once, and to await nothing would cost something all the same.
      if (turn) await turn;
      hasTurn = !urgent;
      const lane = urgent ? this.#urgentLane() : this.#ordinary;
      return await new Run(request, options, abort, lane, this.#context).perform();
    } catch (error) {
      throw error instanceof DeviceError ? error : this.#beforeSending(error, options.deed);
    } finally {
      if (hasTurn) this.#queue.leave();
      if (onAbort) signal.removeEventListener('abort', onAbort);
      this.#running = this.#running.filter((one) => one !== abort);
      if (this.#running.length === 0) this.#onIdle?.();
    }
  }

  /** Most devices are never sent anything that is urgent. */
  #urgentLane(): Lane {
    this.#urgent ??= new Lane(this.#connector);
    return this.#urgent;
  }

  /** Refusals of what cannot be sent, and aborts in the queue. */
  #beforeSending(error: unknown, deed: string): DeviceError {
    const { endpoint, place } = this.#context;
    const circumstances = { endpoint, connectLimitMs: 0, answerLimitMs: 0 };
    const { code, reason } = classifyFailure(Failure.of(error), circumstances);
    return new DeviceError(code, `${deed} at ${place}: ${reason}`);
  }

  /** Section 5 allows Basic only over HTTPS, section 4.13 the scheduler only with authentication over HTTPS. */
  #warnOfRisks({ path }: WireRequest): void {
    const { auth } = this.#settings;
    const { endpoint, place } = this.#context;
    if (auth === 'basic' && !endpoint.secure) {
      this.#warnOnce(
        `${place}: Basic authentication over http shows the password to the whole network, use https`,
      );
    }
    if (/^\/api\/schedules(\?|$)/.test(path) && (auth === 'none' || !endpoint.secure)) {
      this.#warnOnce(
        `${place}: the scheduler is meant to be used over https with Standard or Basic authentication`,
      );
    }
  }

  #warnOnce(line: string): void {
    if (this.#warned.includes(line)) return;
    this.#warned = [...this.#warned, line];
    this.#context.environment.warn(line);
  }
}

function closedMeanwhile(): Failure {
  return Failure.own('ABORTED', 'it was closed meanwhile');
}

/** The caller's own words, where it gave any. */
function whyAborted(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return reason instanceof Error && reason.name === 'Error' ? reason.message : 'it was canceled';
}
