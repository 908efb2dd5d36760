import type { Operation } from '../catalogue/operation';
import type { Endpoint } from './address';
import { Authentication } from './authentication';
import type { Answer, CallOptions, FullOptions, SendOptions, WireRequest } from './call';
import { classifyFailure } from './classify';
import { Connection } from './connection';
import { type Environment, realEnvironment, type UndiciModule } from './environment';
import { DeviceError } from './errors';
import { Failure } from './failure';
import { Lane } from './lane';
import { Queue } from './queue';
import { buildRequest, checkRequest } from './request';
import { Run } from './run';
import { checkSettings, type DeviceSettings } from './settings';
import { openSocket, prepareTls, type Target } from './socket';

export type { Answer, CallOptions, SendOptions, WireRequest } from './call';
export type { Environment } from './environment';

export type { DeviceSettings } from './settings';

/** One device. Keeps its connections, its clock's offset and what it learned about its signatures. */
export class DeviceClient {
  /** The normalized URL, without a trailing slash. */
  readonly address: string;
  readonly #settings: DeviceSettings;
  readonly #endpoint: Endpoint;
  /** Name and address, for sentences. */
  readonly #place: string;
  readonly #environment: Environment;
  readonly #authentication: Authentication;
  readonly #queue = new Queue();
  readonly #ordinary = this.#newLane();
  readonly #urgent = this.#newLane();
  readonly #running = new Map<AbortController, Promise<unknown>>();
  readonly #warned = new Set<string>();
  #roundTripMs: number | undefined;
  #target: Target | undefined;
  #undici: UndiciModule | undefined;
  #closed = false;

  /** @throws DeviceError NOT_CONFIGURED when the settings cannot work */
  constructor(settings: DeviceSettings, environment: Partial<Environment> = {}) {
    this.#settings = settings;
    this.#endpoint = checkSettings(settings);
    this.#environment = { ...realEnvironment, ...environment };
    this.#authentication = new Authentication(settings, this.#environment);
    this.address = this.#endpoint.url;
    this.#place = settings.name === '' ? this.address : `"${settings.name}" (${this.address})`;
  }

  /** The device's clock minus ours in milliseconds, known after a clock recovery. */
  get clockOffsetMs(): number | undefined {
    return this.#authentication.clockOffsetMs;
  }

  /** Milliseconds from the last request's sending to the head of its answer. */
  get roundTripMs(): number | undefined {
    return this.#roundTripMs;
  }

  /**
   * Does one operation of the catalogue.
   * @param parameters by their wire names, already checked
   * @throws DeviceError
   */
  async call(
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
  async send(request: WireRequest, options: SendOptions = {}): Promise<Answer> {
    const make = () => {
      checkRequest(request);
      return request;
    };
    return this.#start(make, { deed: `${request.method} ${request.path}`, ...options });
  }

  /** Aborts what is under way and what waits with ABORTED. Resolves when no socket is left. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const controller of this.#running.keys()) controller.abort(closedMeanwhile());
    await Promise.allSettled(this.#running.values());
    await Promise.all([this.#ordinary.close(), this.#urgent.close()]);
  }

  #start(make: () => WireRequest, options: FullOptions): Promise<Answer> {
    const controller = new AbortController();
    const work = this.#run(make, options, controller).finally(() => this.#running.delete(controller));
    this.#running.set(controller, work);
    return work;
  }

  async #run(make: () => WireRequest, options: FullOptions, controller: AbortController): Promise<Answer> {
    const onAbort = () => controller.abort(Failure.own('ABORTED', whyAborted(options.signal)));
    options.signal?.addEventListener('abort', onAbort);
    if (options.signal?.aborted) onAbort();
    if (this.#closed) controller.abort(closedMeanwhile());
    let leave: (() => void) | undefined;
    try {
      const request = make();
      this.#warnOfRisks(request);
      if (!options.urgent) leave = await this.#queue.enter(controller.signal);
      return await this.#newRun(request, options, controller.signal).perform();
    } catch (error) {
      throw error instanceof DeviceError ? error : this.#beforeSending(error, options.deed);
    } finally {
      leave?.();
      options.signal?.removeEventListener('abort', onAbort);
    }
  }

  #newRun(request: WireRequest, options: FullOptions, signal: AbortSignal): Run {
    return new Run(request, options, signal, {
      place: this.#place,
      endpoint: this.#endpoint,
      timeoutMs: this.#settings.timeoutMs,
      environment: this.#environment,
      authentication: this.#authentication,
      lane: options.urgent ? this.#urgent : this.#ordinary,
      onRoundTrip: (milliseconds) => {
        this.#roundTripMs = milliseconds;
      },
    });
  }

  /** Refusals of what cannot be sent, and aborts in the queue. */
  #beforeSending(error: unknown, deed: string): DeviceError {
    const circumstances = { endpoint: this.#endpoint, connectLimitMs: 0, answerLimitMs: 0 };
    const { code, reason } = classifyFailure(Failure.of(error), circumstances);
    return new DeviceError(code, `${deed} at ${this.#place}: ${reason}`);
  }

  #newLane(): Lane {
    return new Lane(async (timeoutMs, signal) => {
      this.#undici ??= this.#loadUndici();
      this.#target ??= {
        endpoint: this.#endpoint,
        trust: {
          certificate: this.#settings.certificate,
          fingerprint: this.#settings.fingerprint ?? '',
        },
        tls: this.#endpoint.secure ? prepareTls(this.#settings.tls ?? {}) : {},
      };
      const socket = await openSocket(this.#target, timeoutMs, signal);
      return new Connection(this.#undici, this.#endpoint.origin, socket, () => this.#environment.monotonic());
    });
  }

  #loadUndici(): UndiciModule {
    try {
      return this.#environment.loadUndici();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw Failure.own(
        'UNUSABLE',
        `undici cannot be loaded by Node ${process.version} (${reason}), install it again`,
      );
    }
  }

  /** Section 5 allows Basic only over HTTPS, section 4.13 the scheduler only with authentication over HTTPS. */
  #warnOfRisks({ path }: WireRequest): void {
    const { auth } = this.#settings;
    if (auth === 'basic' && !this.#endpoint.secure) {
      this.#warnOnce(
        `${this.#place}: Basic authentication over http shows the password to the whole network, use https`,
      );
    }
    if (/^\/api\/schedules(\?|$)/.test(path) && (auth === 'none' || !this.#endpoint.secure)) {
      this.#warnOnce(
        `${this.#place}: the scheduler is meant to be used over https with Standard or Basic authentication`,
      );
    }
  }

  #warnOnce(line: string): void {
    if (this.#warned.has(line)) return;
    this.#warned.add(line);
    this.#environment.warn(line);
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
