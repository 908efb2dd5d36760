import { localized } from '../catalogue/localized-message';
import type { Operation } from '../catalogue/operation';
import { nameOf } from '../catalogue/operation-name';
import { Authentication } from './authentication';
import type { Answer, CallOptions, FullOptions, SendOptions, WireRequest } from './call';
import { type Environment, realEnvironment } from './environment';
import { DeviceError, describeFault, wordsOf } from './errors';
import { Execution, type ExecutionContext } from './execution';
import { classifyFailure, Failure } from './failure';
import { ConnectionPool, Connector } from './http/pool';
import {
  type Abort,
  type DeviceOutput,
  deviceOutputFor,
  type QueueEntry,
  type QueueUser,
  queuePolicyFor,
  whyAborted,
} from './queue/entry';
import { Queue } from './queue/queue';
import { buildRequest, checkRequest } from './request';
import { checkSettings, type DeviceSettings } from './settings';

export type { Answer, CallOptions, SendOptions, WireRequest } from './call';
export { type Environment, realEnvironment } from './environment';

export type { DeviceSettings } from './settings';

/**
 * The queue and the connections to one address, shared by all devices that are configured with this address.
 */
export class Access {
  readonly pool = new ConnectionPool();
  readonly #users = new Set<QueueUser>();

  constructor(readonly queue: Queue) {}

  get isUsed(): boolean {
    return this.#users.size > 0;
  }

  enter(user: QueueUser): void {
    this.#users.add(user);
  }

  /**
   * Removes a user. After the last user has left, closes the connections, and resolves when no socket is
   * left.
   */
  async leave(user: QueueUser): Promise<void> {
    this.#users.delete(user);
    if (!this.isUsed) await this.pool.close();
  }
}

interface Listeners {
  readonly onAnswer?: ((request: WireRequest, answer: Answer) => void) | undefined;
  readonly onFailure?: ((request: WireRequest, error: DeviceError) => void) | undefined;
}

interface ClientSurroundings extends Listeners {
  readonly access?: Access;
  /**
   * Queue user of this client's calls. The creator of the client can add queue entries for this user before
   * the settings are known.
   */
  readonly user?: QueueUser;
}

/** The shared parts of all turns of a client. */
interface TurnContext extends ExecutionContext, Listeners {
  /** Warns once of each risk of a request. */
  warnOf(request: WireRequest): void;
}

export class DeviceClient {
  readonly address: string;
  readonly #context: TurnContext;
  #closing: Promise<void> | undefined;
  readonly queue: Queue;
  readonly #access: Access;
  readonly #user: QueueUser;

  /** @throws DeviceError NOT_CONFIGURED if the settings are invalid */
  constructor(
    settings: DeviceSettings,
    environment: Partial<Environment> = {},
    surroundings: ClientSurroundings = {},
  ) {
    const endpoint = checkSettings(settings);
    const whole = { ...realEnvironment, ...environment };
    this.#access = surroundings.access ?? new Access(new Queue(whole));
    this.#user = surroundings.user ?? this.#access.queue.defaultUser;
    this.queue = this.#access.queue;
    this.address = endpoint.url;
    const deviceLabel = settings.name === '' ? this.address : `"${settings.name}" (${this.address})`;
    this.#context = {
      deviceLabel,
      endpoint,
      timeoutMs: settings.timeoutMs,
      environment: whole,
      authentication: new Authentication(settings, whole),
      lastAnswer: undefined,
      connector: new Connector(settings, endpoint, whole),
      pool: this.#access.pool,
      queue: this.queue,
      warnOf: riskWarnings(settings, endpoint.secure, (risk) => whole.warn(`${deviceLabel}: ${risk}`)),
      onAnswer: surroundings.onAnswer,
      onFailure: surroundings.onFailure,
    };
    this.#access.enter(this.#user);
  }

  /**
   * The device's clock minus the clock of this machine, in milliseconds and precise to one second; undefined
   * if unknown.
   */
  get clockOffsetMs(): number | undefined {
    const { authentication, lastAnswer } = this.#context;
    const theirs = Date.parse(lastAnswer?.date ?? '');
    return lastAnswer && !Number.isNaN(theirs) ? theirs - lastAnswer.at : authentication.clockOffsetMs;
  }

  /**
   * Time from sending the last answered request to the head of its answer, in milliseconds; undefined before
   * the first answer.
   */
  get roundTripMs(): number | undefined {
    return this.#context.lastAnswer?.roundTripMs;
  }

  /**
   * Expiry of the device's certificate, in epoch milliseconds; undefined if the connections have no TLS, and
   * before the first connection.
   */
  get certificateEndsAt(): number | undefined {
    return this.#access.pool.certificateEndsAt;
  }

  /**
   * @param parameters valid parameters, keyed by wire name
   * @param abort ends the call; cheaper than the signal of the options
   * @throws DeviceError
   */
  call(
    operation: Operation,
    parameters: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
    abort?: Abort,
  ): Promise<Answer> {
    const queueOptions = options.reading ? { isReading: true } : {};
    const policy = queuePolicyFor(operation, this.#context.environment.monotonic(), queueOptions);
    const entry = this.queue.take(policy, abort, this.#user);
    const task = (turn: Turn) => turn.call(operation, parameters, options);
    const { operationName = nameOf(operation) } = options;
    return this.#once(entry, deviceOutputFor(operation, parameters), operationName, options, task);
  }

  /**
   * Sends a request that was written by hand, with the login of the device.
   * @throws DeviceError
   */
  send(request: WireRequest, options: SendOptions = {}): Promise<Answer> {
    const rank = options.urgent ? 'urgent' : 'ordinary';
    const policy = { rank, isStop: false, expiresAt: Number.POSITIVE_INFINITY } as const;
    const entry = this.queue.take(policy, undefined, this.#user);
    const operationName = options.operationName ?? `${request.method} ${request.path}`;
    return this.#once(entry, undefined, operationName, options, (turn) => turn.send(request, options));
  }

  /**
   * Waits for the turn of a queue entry, then runs the task and ends the turn.
   * @param operationName for error messages, for example `door/unlock`
   * @param task runs in the turn, and again if the queue sends an early stop again
   * @throws DeviceError
   */
  async during<T>(
    entry: QueueEntry,
    deviceOutput: DeviceOutput | undefined,
    operationName: string,
    task: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    if (entry.policy.isStop) {
      entry.resend = (once) => {
        // The caller already has the result of the stop, so a failure only causes a warning.
        this.during(once, deviceOutput, operationName, task).catch((error: unknown) => {
          this.#context.environment.warn(`${wordsOf(error)} (sent again after a late start)`);
        });
      };
    }
    try {
      const turn = this.queue.enter(entry, deviceOutput);
      // The turn usually comes immediately and without a promise; `await` would then delay the call.
      if (turn) await turn;
    } catch (error) {
      throw beforeSending(this.#context, operationName, error);
    }
    const turn = new Turn(this.#context, entry);
    try {
      return await task(turn);
    } finally {
      this.queue.leave(entry, turn.happened);
    }
  }

  /**
   * Ends the running and waiting calls of this client with ABORTED. Closes all sockets if no other client
   * uses the address.
   */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    await this.queue.close(Failure.own('ABORTED', localized('closedMeanwhile')), this.#user);
    await this.#access.leave(this.#user);
  }

  #once<T>(
    entry: QueueEntry,
    deviceOutput: DeviceOutput | undefined,
    operationName: string,
    { signal }: CallOptions,
    task: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    if (!signal) return this.during(entry, deviceOutput, operationName, task);
    const onAbort = () => entry.abort.abort(Failure.own('ABORTED', whyAborted(signal)));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    return this.during(entry, deviceOutput, operationName, task).finally(() =>
      signal.removeEventListener('abort', onAbort),
    );
  }
}

/**
 * Warns once of each risk: section 5 allows Basic only over HTTPS, and section 4.13 allows the scheduler only with
 * authentication over HTTPS.
 */
function riskWarnings(
  { auth, isVirtual }: DeviceSettings,
  isSecure: boolean,
  warn: (risk: string) => void,
): TurnContext['warnOf'] {
  const warned = new Set<string>();
  const warnOnce = (risk: string) => {
    if (!warned.has(risk)) warn(risk);
    warned.add(risk);
  };
  return ({ path }) => {
    if (isVirtual) return;
    if (auth === 'basic' && !isSecure)
      warnOnce('Basic authentication over http exposes the password to the network: use https');
    if (/^\/api\/schedules(\?|$)/.test(path) && (auth === 'none' || !isSecure))
      warnOnce('use the scheduler over https with Standard or Basic authentication');
  };
}

/** @returns the error of a call that was not sent */
function beforeSending(
  { endpoint, deviceLabel }: ExecutionContext,
  operationName: string,
  error: unknown,
): DeviceError {
  const circumstances = { endpoint, connectLimitMs: 0, answerLimitMs: 0 };
  const { code, reason, outcome } = classifyFailure(Failure.of(error), circumstances);
  return new DeviceError(code, reason, { operationName, place: deviceLabel, outcome });
}

/**
 * The turn of one call at its device. No other call uses the connection of a turn, except while the call
 * waits for a retry.
 */
export class Turn {
  /** Whether a request other than a GET took effect or might have taken effect. */
  happened = false;

  constructor(
    private readonly context: TurnContext,
    readonly entry: QueueEntry,
  ) {}

  /**
   * Whether the turn belongs to a stop that overtook a running start of its device output. After the start,
   * the queue can send the stop again.
   */
  get isEarlyStop(): boolean {
    return this.entry.outputQueue?.earlyStops.includes(this.entry) === true;
  }

  /**
   * @param parameters valid parameters, keyed by wire name
   * @param isShared whether the parameters belong to this operation alone and never change; calls at several devices
   * then share one request, since a file can be large
   * @throws DeviceError
   */
  call(
    operation: Operation,
    parameters: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
    isShared = false,
  ): Promise<Answer> {
    const { repeatable, urgent, answer, minTimeoutMs } = operation;
    const { operationName = nameOf(operation) } = options;
    const full = { ...options, operationName, repeatable, urgent, answer, minTimeoutMs };
    const build = isShared ? sharedRequest : buildRequest;
    return this.#execute(() => build(operation, parameters), full);
  }

  /** @throws DeviceError */
  send(request: WireRequest, options: SendOptions = {}): Promise<Answer> {
    const make = () => {
      checkRequest(request);
      return request;
    };
    const full = { operationName: `${request.method} ${request.path}`, ...options };
    return this.#execute(make, full);
  }

  async #execute(make: () => WireRequest, options: FullOptions): Promise<Answer> {
    const { context, entry } = this;
    let request: WireRequest;
    try {
      request = make();
    } catch (error) {
      throw beforeSending(context, options.operationName, error);
    }
    if (!options.unwarned) context.warnOf(request);
    const isLook = request.method === 'GET';
    entry.isReadOnlySoFar = isLook && !this.happened;
    try {
      const answer = await new Execution(request, options, entry, context).run();
      if (!isLook) this.happened = true;
      this.#notify(context.onAnswer, request, answer);
      return answer;
    } catch (error) {
      const isClear = error instanceof DeviceError && error.outcome !== 'unknown';
      if (!isLook && !isClear) this.happened = true;
      if (error instanceof DeviceError) this.#notify(context.onFailure, request, error);
      throw error;
    }
  }

  /**
   * An exception of a listener becomes a warning, since a listener must not change the result of the request.
   */
  #notify<T>(
    listener: ((request: WireRequest, result: T) => void) | undefined,
    request: WireRequest,
    result: T,
  ): void {
    try {
      listener?.(request, result);
    } catch (fault) {
      const { environment, deviceLabel } = this.context;
      environment.warn(`${deviceLabel}: ${describeFault(fault)}`);
    }
  }
}

const requests = new WeakMap<object, WireRequest>();

function sharedRequest(...[operation, parameters]: Parameters<typeof buildRequest>): WireRequest {
  const request = requests.get(parameters) ?? buildRequest(operation, parameters);
  requests.set(parameters, request);
  return request;
}
