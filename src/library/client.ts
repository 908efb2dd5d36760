import { request as requests } from '../catalogue/request';
import { DeviceClient as Client } from '../client/client';
import type { Environment } from '../client/environment';
import { wireRequestOf } from '../client/request';
import { checked, checkLimit, entryNamed } from './call-checks';
import type { NamedOperation, OperationName } from './operations';
import type { OperationParameters } from './parameters';
import type { DeviceSettings } from './settings';
import { completeSettings } from './settings-checks';

const [requestOperation] = requests.operations;

export interface ClientOptions {
  /** Receives warnings for the user; default: a warning of the process. */
  readonly warn?: ((line: string) => void) | undefined;
  /** Receives one line for each sent request with the signed text and the result, never a secret. */
  readonly trace?: ((line: string) => void) | undefined;
}

export interface CallOptions {
  /** Ends the call with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Limit for the answer, in milliseconds. Overrides the limit of the device. */
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
  /** Undefined if empty, otherwise parsed JSON, a text or a Buffer. */
  readonly body: unknown;
  /** Number of requests that were sent. */
  readonly attempts: number;
  /** Time from the call to its result, including the time in the queue, in milliseconds. */
  readonly latencyMs: number;
  /** Time from the first byte of the last request to the end of its answer, in milliseconds. */
  readonly wireMs: number;
}

/** Parameters and options of a call. The parameters are optional if none is required. */
type Rest<Name extends OperationName> =
  Record<never, never> extends OperationParameters[Name]
    ? [parameters?: OperationParameters[Name], options?: CallOptions]
    : [parameters: OperationParameters[Name], options?: CallOptions];

/**
 * A client of one device. Calls are sent in their order, over one ordinary connection and at most one urgent
 * one. Use one client for each device: two clients do not coordinate their order.
 */
export class DeviceClient {
  readonly #client: Client;

  /** @throws DeviceError NOT_CONFIGURED if the settings are invalid */
  constructor(settings: DeviceSettings, { warn = warnProcess, trace }: ClientOptions = {}) {
    this.#client = new Client(completeSettings(settings), {
      warn: harmless(warn),
      ...(trace && { trace: harmless(trace) }),
      after: afterUnlessOver,
    });
  }

  get address(): string {
    return this.#client.address;
  }

  /**
   * The device's clock minus the clock of this machine, in milliseconds, precise to the second; undefined
   * before the first answer.
   */
  get clockOffsetMs(): number | undefined {
    return this.#client.clockOffsetMs;
  }

  /**
   * Carries out one operation. First checks the parameters by their wire names; if one is invalid or unknown,
   * nothing is sent.
   * @throws DeviceError as a rejection
   */
  async call<Name extends OperationName>(
    operation: NamedOperation<Name>,
    ...rest: Rest<Name>
  ): Promise<Answer> {
    const [parameters = {}, options = {}]: readonly [unknown?, CallOptions?] = rest;
    const entry = entryNamed(operation);
    const going = checked(entry, parameters, operation.name);
    return timed(() => this.#client.call(entry, going, clientOptions(options, operation.name)));
  }

  /**
   * Sends a request that is not in the catalogue, signed like any other. After an unclear result, only a GET
   * is sent again.
   * @throws DeviceError as a rejection
   */
  async send(request: FreeRequest, options: CallOptions = {}): Promise<Answer> {
    const wire = wireRequestOf(checked(requestOperation, request, 'send', 'request'));
    return timed(() => this.#client.send(wire, clientOptions(options, 'send')));
  }

  /** Ends all running and waiting calls with ABORTED. Resolves when no socket is left. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** Closes the client at the end of an `await using` block. */
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

/** Returns a listener whose exceptions are ignored, so that they do not affect the request. */
function harmless(listener: (line: string) => void): (line: string) => void {
  return (line) => {
    try {
      listener(line);
    } catch {
      // The exception cannot be reported: the listener that reports has thrown it.
    }
  };
}

/**
 * Runs a task after `ms` milliseconds, with a timer that does not keep the process alive. A waiting call
 * waits for a running request, whose socket keeps the process alive.
 */
const afterUnlessOver: Environment['after'] = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};
