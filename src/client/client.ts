import { localized } from '../catalogue/localized-message';
import { nameOf } from '../catalogue/named';
import type { Operation } from '../catalogue/operation';
import { Access } from './access';
import { Authentication } from './authentication';
import type { Answer, CallOptions, FullOptions, SendOptions, WireRequest } from './call';
import { classifyFailure } from './classify';
import { type Environment, realEnvironment } from './environment';
import { DeviceError, describeFault, wordsOf } from './errors';
import { Execution, type ExecutionContext, isAnswer, SecurityWarnings, tryAgain } from './execution';
import { Failure } from './failure';
import { Connector } from './http/pool';
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

/** What a client shares with whoever keeps it. */
interface ClientSurroundings {
  /** The order and the connections that it shares with the device's other names. */
  readonly access?: Access;
  /** As whom it uses them; places may have been taken before the settings were known. */
  readonly user?: QueueUser;
  /** Told of each request's answer. */
  readonly onAnswer?: (request: WireRequest, answer: Answer) => void;
  /** Told of each request's failure. */
  readonly onFailure?: (request: WireRequest, error: DeviceError) => void;
}

/** One device. Keeps its connections, its clock's offset and what it learned about its signatures. */
export class DeviceClient {
  /** The normalized URL, without a trailing slash. */
  readonly address: string;
  readonly #context: ExecutionContext;
  readonly #risks: SecurityWarnings;
  #closing: Promise<void> | undefined;
  /** The order of all calls. */
  readonly queue: Queue;
  readonly #access: Access;
  readonly #user: QueueUser;
  readonly #surroundings: ClientSurroundings;

  /**
   * @param surroundings what it shares with whoever keeps it
   * @throws DeviceError NOT_CONFIGURED when the settings cannot work
   */
  constructor(
    settings: DeviceSettings,
    environment: Partial<Environment> = {},
    surroundings: ClientSurroundings = {},
  ) {
    const endpoint = checkSettings(settings);
    const whole = { ...realEnvironment, ...environment };
    this.#access = surroundings.access ?? new Access(new Queue(whole));
    this.#user = surroundings.user ?? this.#access.queue.only;
    this.queue = this.#access.queue;
    this.#surroundings = surroundings;
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
      connector: new Connector(settings, endpoint, whole),
      lanes: this.#access.lanes,
      queue: this.queue,
    };
    this.#risks = new SecurityWarnings(settings, this.#context);
    this.#access.enter(this.#user);
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
   * @param abort ends the call, as a signal of the options does at a higher cost
   * @throws DeviceError
   */
  call(
    operation: Operation,
    parameters: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
    abort?: Abort,
  ): Promise<Answer> {
    const queueOptions = options.reading ? { isReading: true } : {};
    const claim = queuePolicyFor(operation, this.#context.environment.monotonic(), queueOptions);
    const place = this.queue.take(claim, abort, this.#user);
    const work = (turn: Turn) => turn.call(operation, parameters, options);
    const { operationName = nameOf(operation) } = options;
    return this.#once(place, deviceOutputFor(operation, parameters), operationName, options, work);
  }

  /**
   * Sends a request made by hand, signed like any other: `algo-request`.
   * @throws DeviceError
   */
  send(request: WireRequest, options: SendOptions = {}): Promise<Answer> {
    const rank = options.urgent ? 'urgent' : 'ordinary';
    const claim = { rank, ends: false, expiresAt: Number.POSITIVE_INFINITY } as const;
    const place = this.queue.take(claim, undefined, this.#user);
    const operationName = options.operationName ?? `${request.method} ${request.path}`;
    return this.#once(place, undefined, operationName, options, (turn) => turn.send(request, options));
  }

  /**
   * Waits for a place's turn and does all of the work in it.
   * @param operationName for sentences, for example `door/unlock`
   * @param work done once more for what ends a subject, after a start that it overtook
   * @throws DeviceError
   */
  async during<T>(
    place: QueueEntry,
    subject: DeviceOutput | undefined,
    operationName: string,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    if (place.claim.ends) place.again = (once) => this.#doAgain(place, once, subject, operationName, work);
    try {
      const turn = this.queue.enter(place, subject);
      // Mostly the turn comes at once, and to await nothing would cost something all the same.
      if (turn) await turn;
    } catch (error) {
      throw this.#beforeSending(error, operationName);
    }
    const turn = new Turn(this.#perform, place);
    try {
      return await work(turn);
    } finally {
      this.queue.leave(place, turn.happened);
    }
  }

  /** Ends with ABORTED its own calls, under way and waiting. With the device's last name no socket is left. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await this.queue.close(Failure.own('ABORTED', localized('closedMeanwhile')), this.#user);
    await this.#access.leave(this.#user);
  }

  /** One request, which the caller's signal may end. */
  #once<T>(
    place: QueueEntry,
    subject: DeviceOutput | undefined,
    operationName: string,
    { signal }: CallOptions,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    if (!signal) return this.during(place, subject, operationName, work);
    const onAbort = () => place.abort.abort(Failure.own('ABORTED', whyAborted(signal)));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    return this.during(place, subject, operationName, work).finally(() =>
      signal.removeEventListener('abort', onAbort),
    );
  }

  /** Nobody waits for this: the message has its receipt, which says that it would happen. */
  #doAgain<T>(
    place: QueueEntry,
    once: QueueEntry,
    subject: DeviceOutput | undefined,
    operationName: string,
    work: (turn: Turn) => Promise<T>,
  ): void {
    if (place.abort.reason) return;
    this.during(once, subject, operationName, work).catch((error: unknown) => {
      this.#context.environment.warn(`${wordsOf(error)} (once more, after a start that ended late)`);
    });
  }

  readonly #perform = async (make: () => WireRequest, options: FullOptions, turn: Turn): Promise<Answer> => {
    const { place } = turn;
    let request: WireRequest;
    try {
      request = make();
    } catch (error) {
      throw this.#beforeSending(error, options.operationName);
    }
    if (!options.unwarned) this.#risks.warnOf(request);
    const isLook = request.method === 'GET';
    place.isReadOnlySoFar = isLook && !turn.happened;
    try {
      const run = new Execution(request, options, place, this.#context);
      const tried = await run.try();
      const answer = isAnswer(tried) ? tried : await tryAgain(run, tried);
      if (!isLook) turn.happened = true;
      this.#tell(() => this.#surroundings.onAnswer?.(request, answer));
      return answer;
    } catch (error) {
      const isClear = error instanceof DeviceError && error.outcome !== 'unknown';
      if (!isLook && !isClear) turn.happened = true;
      if (error instanceof DeviceError) this.#tell(() => this.#surroundings.onFailure?.(request, error));
      throw error;
    }
  };

  /** Whatever is made of a request's end, it has ended so. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (fault) {
      this.#context.environment.warn(`${this.#context.place}: ${describeFault(fault)}`);
    }
  }

  /** Refusals of what cannot be sent, and what ends in the queue. */
  #beforeSending(error: unknown, operationName: string): DeviceError {
    const { endpoint, place } = this.#context;
    const circumstances = { endpoint, connectLimitMs: 0, answerLimitMs: 0 };
    const { code, reason, outcome } = classifyFailure(Failure.of(error), circumstances);
    return new DeviceError(code, localized('atPlace', { operation: operationName, place, reason }), {
      operationName,
      outcome,
    });
  }
}

/** What sends the requests of a turn. */
type Perform = (make: () => WireRequest, options: FullOptions, turn: Turn) => Promise<Answer>;

/** A call's turn at its device: what it sends while nothing else is sent over its connection. */
export class Turn {
  /** Something was done, or may have been: more than looked. What performs its requests says so. */
  happened = false;

  constructor(
    private readonly perform: Perform,
    readonly place: QueueEntry,
  ) {}

  /** It ends what may begin only later: a start of its subject is under way, and it is done once more after that. */
  get isEarlyStop(): boolean {
    return this.place.line?.earlyStops.includes(this.place) === true;
  }

  /**
   * Does one operation of the catalogue.
   * @param parameters by their wire names, already checked
   * @param build makes the request of it
   * @throws DeviceError
   */
  call(
    operation: Operation,
    parameters: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
    build: typeof buildRequest = buildRequest,
  ): Promise<Answer> {
    const { repeatable, urgent, answer, minTimeoutMs } = operation;
    const { operationName = nameOf(operation) } = options;
    const full = { ...options, operationName, repeatable, urgent, answer, minTimeoutMs };
    return this.perform(() => build(operation, parameters), full, this);
  }

  /**
   * Sends a request made by hand, signed like any other.
   * @throws DeviceError
   */
  send(request: WireRequest, options: SendOptions = {}): Promise<Answer> {
    const make = () => {
      checkRequest(request);
      return request;
    };
    const full = { operationName: `${request.method} ${request.path}`, ...options };
    return this.perform(make, full, this);
  }
}
