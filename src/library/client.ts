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

/** The listeners for reports of a client other than its answers and errors. */
export interface ClientOptions {
  /** Something that a person should know; unless given, it is a warning of the process. */
  readonly warn?: ((line: string) => void) | undefined;
  /** One line for every request that was sent: what was signed and what came back, never a secret. */
  readonly trace?: ((line: string) => void) | undefined;
}

export interface CallOptions {
  /** Ends the call with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Limit for the answer instead of the device's, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** A request that no operation has. */
export interface FreeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, percent-encoded, beginning with exactly one slash. */
  readonly path: string;
  /** An object or a list goes out as JSON, a text or a Buffer as it is. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

/** What a device answered with a yes. */
export interface Answer {
  readonly statusCode: number;
  /** Nothing (undefined), parsed JSON, text or a Buffer. */
  readonly body: unknown;
  /** How many requests were sent. */
  readonly attempts: number;
  /** From the call to its end, in milliseconds. */
  readonly latencyMs: number;
  /** From the first byte of the last request to the end of its answer, in milliseconds. */
  readonly wireMs: number;
}

/** Parameters and options of a call; the parameters may be left out where none has to be given. */
type Rest<Name extends OperationName> =
  Record<never, never> extends OperationParameters[Name]
    ? [parameters?: OperationParameters[Name], options?: CallOptions]
    : [parameters: OperationParameters[Name], options?: CallOptions];

/**
 * One device. It is asked in the order of the calls, over one ordinary connection and at most one urgent one. Keep
 * one client for a device: two know nothing of each other's order.
 */
export class DeviceClient {
  readonly #client: Client;

  /** @throws DeviceError NOT_CONFIGURED when the settings cannot work */
  constructor(settings: DeviceSettings, { warn = warnProcess, trace }: ClientOptions = {}) {
    this.#client = new Client(completeSettings(settings), {
      warn: harmless(warn),
      ...(trace && { trace: harmless(trace) }),
      after: afterUnlessOver,
    });
  }

  /** The URL of the device, without a trailing slash. */
  get address(): string {
    return this.#client.address;
  }

  /** The device's clock minus ours in milliseconds, to the second; undefined before an answer. */
  get clockOffsetMs(): number | undefined {
    return this.#client.clockOffsetMs;
  }

  /**
   * Does one operation. The parameters are checked first, by the names of the wire, and nothing is sent when
   * one is wrong or not known.
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
   * Sends a request that no operation has, signed like any other. Only a GET is ever sent again when it is not
   * known whether it was done.
   * @throws DeviceError as a rejection
   */
  async send(request: FreeRequest, options: CallOptions = {}): Promise<Answer> {
    const wire = wireRequestOf(checked(requestOperation, request, 'send', 'request'));
    return timed(() => this.#client.send(wire, clientOptions(options, 'send')));
  }

  /** Ends with ABORTED what is under way and what waits. Resolves when no socket is left. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Measures a call from its beginning, its time in the queue included. */
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

/** A listener's fault must not become the fate of the request that it is told of. */
function harmless(listener: (line: string) => void): (line: string) => void {
  return (line) => {
    try {
      listener(line);
    } catch {
      // Whom should it be told? The request goes on.
    }
  };
}

/**
 * A call that waits in the order waits for a request under way, whose socket keeps the process alive: no timer has
 * to.
 */
const afterUnlessOver: Environment['after'] = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};
