import { request as requests } from '../catalogue/request';
import { DeviceClient as Client } from '../client/client';
import { wireRequestOf } from '../client/request';
import { backgroundClock } from '../kernel/time/clock';
import { checked, checkLimit, entryNamed } from './call-checks';
import type { NamedOperation, OperationName } from './operations';
import type { OperationParameters } from './parameters';
import type { DeviceSettings } from './settings';
import { completeSettings } from './settings-checks';

const [requestOperation] = requests.operations;

export interface ClientOptions {
  /** Receives each warning; default: `process.emitWarning`. */
  readonly warn?: ((line: string) => void) | undefined;
  /**
   * Receives one line for each sent request, with the result and either the signed text or the authentication
   * method. The line never contains a secret.
   */
  readonly trace?: ((line: string) => void) | undefined;
}

export interface CallOptions {
  /** Aborts the call, which then fails with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit for the answer, in milliseconds; default: `timeoutMs` of the device. A limit below `timeoutMs` of
   * the device also applies to connecting. Some operations, such as uploads, have a higher minimum for the
   * answer.
   */
  readonly timeoutMs?: number | undefined;
}

/** A request that is not in the catalogue. */
export interface FreeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, percent-encoded, starting with exactly one slash. */
  readonly path: string;
  /** The body: an object or a list is sent as JSON, a text or a Buffer unchanged. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

/** The answer of a device that accepted the request. */
export interface Answer {
  readonly statusCode: number;
  /** Parsed JSON, a text or a Buffer; undefined if the body is empty. */
  readonly body: unknown;
  /** Number of requests that were sent. */
  readonly attempts: number;
  /** Time from the call to its result, including the time in the queue, in milliseconds. */
  readonly latencyMs: number;
  /** Time from the first byte of the last request to the end of its answer, in milliseconds. */
  readonly wireMs: number;
}

/**
 * The arguments of `call` after the operation. `parameters` is optional if the operation requires no
 * parameter.
 */
type Rest<Name extends OperationName> =
  Record<never, never> extends OperationParameters[Name]
    ? [parameters?: OperationParameters[Name], options?: CallOptions]
    : [parameters: OperationParameters[Name], options?: CallOptions];

/**
 * A client of one device. Sends the calls in the order of the contract (docs/contract.md 2.5), over one
 * ordinary connection and at most one urgent connection. Use one client for each device: two clients do not
 * coordinate their order.
 */
export class DeviceClient {
  readonly #client: Client;

  /** @throws DeviceError NOT_CONFIGURED if the settings are invalid */
  constructor(settings: DeviceSettings, { warn = warnProcess, trace }: ClientOptions = {}) {
    this.#client = new Client(completeSettings(settings), {
      warn: harmless(warn),
      ...(trace && { trace: harmless(trace) }),
      after: backgroundClock.after,
    });
  }

  get address(): string {
    return this.#client.address;
  }

  /**
   * The device's clock minus the clock of this machine, in milliseconds, precise to the second; undefined if
   * unknown, for example before the first answer.
   */
  get clockOffsetMs(): number | undefined {
    return this.#client.clockOffsetMs;
  }

  /**
   * Carries out one operation. Sends nothing if a parameter is invalid or unknown.
   * @throws DeviceError if the call fails
   */
  async call<Name extends OperationName>(
    operation: NamedOperation<Name>,
    ...rest: Rest<Name>
  ): Promise<Answer> {
    const [parameters = {}, options = {}]: readonly [unknown?, CallOptions?] = rest;
    const entry = entryNamed(operation);
    const wireParameters = checked(entry, parameters, operation.name);
    return timed(() => this.#client.call(entry, wireParameters, clientOptions(options, operation.name)));
  }

  /**
   * Sends a request that is not in the catalogue, with the login of the device. If the device might have
   * carried out the request, only a GET is sent again.
   * @throws DeviceError if the request fails
   */
  async send(request: FreeRequest, options: CallOptions = {}): Promise<Answer> {
    const wire = wireRequestOf(checked(requestOperation, request, 'send', 'request'));
    return timed(() => this.#client.send(wire, clientOptions(options, 'send')));
  }

  /** Ends all running and waiting calls with ABORTED. Resolves when all sockets are closed. */
  close(): Promise<void> {
    return this.#client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

async function timed(call: () => ReturnType<Client['call']>): Promise<Answer> {
  const started = performance.now();
  const answer = await call();
  return { ...answer, wireMs: answer.wireMs ?? 0, latencyMs: Math.round(performance.now() - started) };
}

function clientOptions({ signal, timeoutMs }: CallOptions, operationName: string) {
  checkLimit(timeoutMs, operationName);
  return { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

function warnProcess(line: string): void {
  process.emitWarning(line, 'DeviceWarning');
}

function harmless(listener: (line: string) => void): (line: string) => void {
  return (line) => {
    try {
      listener(line);
    } catch {
      // The exception is ignored, so that a failing listener does not affect the request.
    }
  };
}
