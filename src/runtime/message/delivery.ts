import {
  findUnsupported,
  lackAt,
  mayLack,
  needsOfAny,
  type Requirements,
} from '../../catalogue/compatibility';
import { localized, type Text } from '../../catalogue/localized-message';
import type { Operation, Option, Parameters } from '../../catalogue/operation';
import { checkParameters } from '../../catalogue/validate';
import type { Answer, Turn, WireRequest } from '../../client/client';
import { DeviceError, type ErrorCode, type FailedOutcome, wordsOf } from '../../client/errors';
import { Failure } from '../../client/failure';
import { Abort, type QueueEntry, queuePolicyFor } from '../../client/queue/entry';
import type { RequestTemplate } from '../../client/request';
import { Deadline } from '../../time/deadline';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import { awaitSuccessor, otherIdsOf } from '../device/registry';
import { isOn } from '../device/settings';
import type { Target } from '../device/targets';
import { burst } from './burst';
import type { OperationEvent } from './bus';
import type { Command } from './command';
import type { ConcurrencyLimiter } from './concurrency-limiter';
import type { ActionHooks, DeliveryContext } from './hooks';
import { isEmpty, type Outcome, type Receipt, receiptOf, sayingsOf, succeeded } from './receipt';
import { carryOut, waitUntilBack } from './steps';
import { type StartGuard, stopCommandFor, stopContext, whenAll } from './stop-command';

/** One message on its way to one target, from its arrival to its receipt. */
export class Delivery implements DeliveryContext {
  /** Ends it. */
  readonly abort = new Abort();
  /** The device's answer to what the message asks for, once there is one. */
  answer: Answer | undefined;
  /** The parameters as the device wants them. */
  parameters: Parameters = {};
  outcome: Outcome = 'accepted';
  #notes: Map<string, Text> | undefined;
  readonly #arrival: Arrival;
  /** The identity for which nothing was found to be lacking. */
  #checkedFor: Identity | undefined;
  /** What it starts is not ended while this is open. */
  #hold: StartGuard | undefined;
  /** There while what is to survive a crash is not written through. */
  #written: Promise<void> | undefined;

  /** Takes its place in the order of the device's calls. */
  constructor(
    readonly command: Command,
    private readonly target: Target,
    /** Those of the message that are spoken to at once; absent where there are few. */
    private readonly limiter?: ConcurrencyLimiter,
  ) {
    // What came before it has its place first, whoever makes the delivery.
    burst.beginBefore(command.operation);
    this.abort.admission = command.action.admission;
    this.#arrival = new Arrival(command, target, this.abort);
  }

  /** @throws DeviceError when the target was not found */
  get device(): Device {
    const { device } = this.#arrival;
    if (device) return device;
    throw this.target.error;
  }

  /** What a receipt calls its target, also where that was not found. */
  get addressee(): Pick<Receipt, 'device' | 'address'> {
    const { device } = this.#arrival;
    return { device: device?.name ?? this.target.asked ?? '', address: device?.address ?? '' };
  }

  get operationName(): string {
    return this.command.operationName;
  }

  /** @throws DeviceError when it is no operation of the node */
  get operation(): Operation {
    if (this.command.operation) return this.command.operation;
    throw this.command.fault;
  }

  get sharedParameters(): Parameters {
    return this.command.parameters;
  }

  get hooks(): ActionHooks {
    return this.command.action.hooks;
  }

  get retryForMs(): number {
    return this.command.options.retryForMs;
  }

  get readsOnly(): boolean {
    return this.command.readsOnly;
  }

  request(operation: RequestTemplate, parameters: Parameters): WireRequest {
    return this.command.request(operation, parameters);
  }

  /** What of the answer becomes a message's payload; undefined when nothing does. */
  get payload(): unknown {
    const { fault, operation } = this.command;
    if (fault || operation?.answer === 'none' || isEmpty(this.answer?.body)) return undefined;
    return this.answer?.body;
  }

  /** Whether a person switched on what the operation has. */
  has(option: Option): boolean {
    return this.operation.options?.includes(option) === true && isOn(this.command.action.properties[option]);
  }

  /** Says something that a person should know beside the outcome. */
  note(words: Text): void {
    this.#notes ??= new Map();
    this.#notes.set(String(words), words);
  }

  /** Says in the node's status how far it is, for example `put 40 %`. */
  progress(words: string): void {
    this.command.action.progress(`${this.operation.id} ${words}`);
  }

  /** Keeps the place while the parameters, and the subject with them, take a while to be read. */
  announce(): void {
    this.#arrival.announce();
  }

  /** Gives the place up: it is not to be done. */
  withdraw(): void {
    this.#arrival.withdraw();
  }

  /** Does it, or says why not, and tells. Never rejects: whatever goes wrong is in the receipt. */
  async end(tell?: (receipt: Receipt) => void): Promise<Receipt> {
    let receipt: Receipt;
    try {
      const arriving = this.#arrival.ready();
      if (arriving) await arriving;
      await this.#endAt(this.device);
      if (this.#written) await this.#written;
      // After its turn, so that others need not wait for a device that restarts.
      if (this.#waitsUntilBack) this.note(await waitUntilBack(this));
      receipt = this.#receipt();
    } catch (error) {
      this.#arrival.withdraw();
      // Also where nothing was sent: nobody is told of an end before the message has begun everywhere.
      await this.#written;
      receipt = this.#receipt(asDeviceError(this, error));
    } finally {
      void this.#releaseHold(false);
    }
    tell?.(receipt);
    return receipt;
  }

  #endAt(device: Device): Promise<void> {
    const { operation } = this;
    const { action, fault, parameters, subject } = this.command;
    if (fault) throw fault;
    this.#checkedFor = device.knownIdentity;
    this.#refuseLack(this.#needs(parameters), this.#checkedFor);
    if (subject && operation.deviceOutput && !operation.isStop)
      this.#hold = action.autoStops?.hold(device.id, subject.name, otherIdsOf(device));
    const { limiter } = this;
    const take = (turn: Turn) => (limiter ? this.#doAmong(limiter, turn) : this.#doIn(turn));
    return device.during(this.#arrival.place, subject, this.operationName, take);
  }

  async #doAmong(limiter: ConcurrencyLimiter, turn: Turn): Promise<void> {
    const entering = limiter.enter(this.abort);
    const permit = entering instanceof Promise ? await entering : entering;
    try {
      await this.#doIn(turn);
    } finally {
      limiter.leave(permit);
    }
  }

  async #doIn(turn: Turn): Promise<void> {
    const { device, command, operation } = this;
    const { action, parameters } = command;
    const asked = this.#identityIn(turn);
    const identity = asked instanceof Promise ? await asked : asked;
    this.parameters = parameters;
    if (action.hooks.adapt) {
      // Before words are put in this model's way: one that lacks the whole has no way for them.
      this.#refuseLack(needsOfAny(operation), identity);
      const adapted = action.hooks.adapt(this, identity);
      if (adapted.note) this.note(adapted.note);
      this.parameters = adapted.parameters;
    }
    if (identity !== this.#checkedFor || this.parameters !== parameters)
      this.#refuseLack(this.#needs(this.parameters), identity);
    if (command.leftOut) this.note(localized('keysLeftOut', { names: command.leftOut.join(', ') }));
    if (this.#isDryRun) {
      this.outcome = 'dry-run';
      return;
    }
    const { endAfterMs } = command.options;
    if (endAfterMs !== undefined) await this.#prepareEnd(endAfterMs, identity);
    // Whether it happened is told in its turn, before anything later is sent.
    try {
      await carryOut(this, turn);
      this.#awaitLater(this.#releaseHold(true));
    } catch (error) {
      const mayHaveHappened = asDeviceError(this, error).outcome === 'unknown';
      this.#awaitLater(this.#releaseHold(mayHaveHappened));
      if (mayHaveHappened && !operation.isStop) this.#awaitLater(action.hooks.done?.(this));
      throw error;
    }
    this.#awaitLater(action.hooks.done?.(this));
    const { subject } = command;
    if (subject && operation.isStop)
      this.#awaitLater(action.autoStops?.noteEnded(device.id, subject.name, otherIdsOf(device)));
    if (turn.isEarlyStop) this.note(localized('startUnderWay'));
  }

  #releaseHold(happened: boolean): Promise<void> | undefined {
    const hold = this.#hold;
    this.#hold = undefined;
    return hold?.release(happened);
  }

  /** Before its receipt, and not in its turn. */
  #awaitLater(writing: Promise<void> | undefined): void {
    if (writing) this.#written = whenAll([this.#written, writing]);
  }

  /** @throws DeviceError where it has to be known, and cannot be asked for */
  #identityIn(turn: Turn): Promise<Identity> | Identity {
    const { device, command, operation } = this;
    if (command.action.hooks.needsModel?.(command.parameters) && !device.recognition.isModelSet) {
      const { retryForMs } = command.options;
      return device.identityNeededIn(turn, { retryForMs }).catch((error: unknown) => {
        throw this.abort.reason ?? modelNotAsked(error);
      });
    }
    const { recognition } = device;
    if (!operation.urgent && recognition.isOpen && this.#dependsOnIdentity) return device.identityIn(turn);
    return recognition.known;
  }

  get #waitsUntilBack(): boolean {
    return this.outcome !== 'dry-run' && this.has('waitUntilBack');
  }

  get #dependsOnIdentity(): boolean {
    const { device, operation } = this;
    const { parameters, options } = this.command;
    const endsByItself = options.endAfterMs !== undefined && operation.autoStop?.field !== undefined;
    return (endsByItself && !device.letDeviceDecide) || mayLack(device, this.#needs(parameters));
  }

  /** Whether the command is checked and not sent. A dry run still sends operations that only read. */
  get #isDryRun(): boolean {
    if (!this.device.dryRun && !this.target.dryRun) return false;
    return !this.readsOnly;
  }

  /** Lets the device end what it starts, or has it ended after a while, whatever happens meanwhile. */
  async #prepareEnd(endAfterMs: number, identity: Identity): Promise<void> {
    const { device, operation, parameters } = this;
    const { action } = this.command;
    const ending = endingByItself(operation, parameters, endAfterMs, identity);
    if (ending) {
      this.parameters = ending;
      return;
    }
    const sent = stopCommandFor(operation, parameters);
    if (sent) await this.#hold?.arm({ ...sent, ...stopContext(device, action.node), afterMs: endAfterMs });
  }

  #needs(parameters: Parameters): Requirements {
    return this.command.needs(this.operation, parameters);
  }

  #refuseLack(needs: Requirements, identity: Identity): void {
    const { device, operationName } = this;
    const lack = lackAt(device, needs, identity);
    if (!lack) return;
    const reason = localized('atDevice', {
      operation: operationName,
      device: device.name,
      reason: lack.sentence,
    });
    const sentence = localized('nothingSent', { reason });
    throw new DeviceError('NOT_SUPPORTED', sentence, {
      operationName,
      outcome: lack.because === 'model' ? 'skipped' : 'failed',
    });
  }

  /** What its message has started or ended at the device; undefined where that is nothing. */
  happened(receipt: Receipt): OperationEvent | undefined {
    const { operation, parameters, subject } = this.command;
    if (!operation || !subject || !succeeded(receipt) || receipt.outcome === 'dry-run') return undefined;
    return { device: this.device, subject: subject.name, operation, parameters };
  }

  #receipt(error?: DeviceError): Receipt {
    const { device } = this.#arrival;
    const receipt = receiptOf({
      ...this.addressee,
      operationName: this.operationName,
      latencyMs: performance.now() - this.command.since,
      outcome: this.outcome,
      answer: this.answer,
      notes: this.#notes?.values(),
      error,
    });
    device?.sight.noteReceipt(receipt, sayingsOf(receipt).reason);
    return receipt;
  }
}

/** The device could not be asked for its model: that is why, and nothing else was sent. */
function modelNotAsked(error: unknown): unknown {
  if (!(error instanceof DeviceError)) return error;
  const { attempts, code, outcome, said: reason, statusCode, wireMs } = error;
  return new DeviceError(code, localized('nothingSent', { reason: localized('modelNotAsked', { reason }) }), {
    outcome: outcome === 'unknown' ? 'failed' : outcome,
    attempts,
    wireMs,
    ...(statusCode !== undefined && { statusCode }),
    cause: error,
  });
}

/** A deploy waits 15 s at most for a node to close; one that is not over by then is not going to be soon. */
const maxDeployMs = 30_000;

/**
 * Where a message waits at one target from its arrival on: at the device, or for the one that a deploy is going to
 * put in its place, in the same order.
 */
class Arrival {
  #device: Device | undefined;
  #place: QueueEntry | undefined;
  #successor: Promise<void> | undefined;
  #isAnnounced = false;
  #isWithdrawn = false;

  constructor(
    private readonly command: Command,
    private readonly target: Target,
    private readonly abort: Abort,
  ) {
    this.#device = target.device;
    if (!this.#device) return;
    if (!this.#device.isClosed) this.#takePlace(this.#device);
    else {
      this.#successor = this.#waitForSuccessor(this.#device);
      // Whoever asks for the device is told; until then nobody is.
      this.#successor.catch(() => {});
    }
  }

  /** Undefined where the target was not found. */
  get device(): Device | undefined {
    return this.#device;
  }

  /** Keeps the order while the parameters, and the subject with them, take a while to be read. */
  announce(): void {
    this.#isAnnounced = true;
    const { deviceOutput, inOrderOf } = this.command.operation ?? {};
    const family = deviceOutput?.name ?? inOrderOf;
    if (this.#place && family && !this.abort.reason) this.#device?.announce(this.#place, family);
  }

  /**
   * @returns undefined when the device is there, else what to wait for
   * @throws Failure or DeviceError ABORTED, as a rejection
   */
  ready(): Promise<void> | undefined {
    return this.#successor;
  }

  /** @throws DeviceError when the target was not found, or what is asked is no operation of the node */
  get place(): QueueEntry {
    if (this.#place) return this.#place;
    throw this.target.error ?? this.command.fault;
  }

  /** Gives the place up, if nobody has waited in it for its turn. */
  withdraw(): void {
    this.#isWithdrawn = true;
    if (this.#place) this.#device?.withdraw(this.#place);
  }

  #takePlace(device: Device): void {
    const { operation, options, since } = this.command;
    if (!operation || this.#isWithdrawn) return;
    this.#place = device.take(operation, this.abort, options, since);
    if (this.#isAnnounced) this.announce();
  }

  /** A deploy has closed the device and is going to start another one in its place. */
  #waitForSuccessor(closed: Device): Promise<void> {
    return new Promise((resolve, reject) => {
      const { operation, options } = this.command;
      // Only to be counted: no more may wait than at a device that is there.
      const counted = operation && closed.take(operation, this.abort, options);
      if (this.abort.reason) return reject(this.abort.reason);
      const release = () => counted && closed.withdraw(counted);
      const leftMs = operation ? queuePolicyFor(operation, 0, options).expiresAt : Number.POSITIVE_INFINITY;
      const why = localized('closedByDeploy', { device: closed.name });
      const over =
        leftMs <= maxDeployMs ? Failure.own('EXPIRED', localized('tooLate')) : Failure.own('ABORTED', why);
      const limit = new Deadline(() => this.abort.abort(over), Math.min(leftMs, maxDeployMs));
      const giveUp = awaitSuccessor(closed, (successor) => {
        limit.clear();
        release();
        this.abort.tell(undefined);
        if (!successor || this.target.isMeant?.(successor) === false) {
          const reason = localized('takenOut', { device: closed.name });
          return reject(new DeviceError('ABORTED', localized('nothingSent', { reason })));
        }
        this.#device = successor;
        this.#takePlace(successor);
        resolve();
      });
      this.abort.tell((reason) => {
        limit.clear();
        release();
        giveUp();
        reject(reason);
      });
    });
  }
}

/**
 * The parameters with which a device ends by itself what it starts (docs/contract.md 2.5); undefined where it
 * cannot, or where nobody knows whether it can.
 * @param afterMs when it is to end
 */
function endingByItself(
  operation: Operation,
  parameters: Parameters,
  afterMs: number,
  identity: Identity,
): Parameters | undefined {
  const field = operation.autoStop?.field;
  if (field === undefined || identity.firmware === undefined || !Number.isInteger(afterMs / 1_000))
    return undefined;
  const ending = { ...parameters, [field]: afterMs / 1_000 };
  const checked = checkParameters(operation, ending);
  if (!checked.ok || findUnsupported(operation, ending, identity)) return undefined;
  return checked.parameters;
}

/** What of a delivery says how it ended. */
type Ended = Pick<DeliveryContext, 'abort' | 'answer' | 'operationName' | 'device'>;

/** How what was ended before its turn at the device counts, by why it was. */
const unsent: Readonly<Record<string, readonly [code: ErrorCode, outcome: FailedOutcome]>> = {
  EXPIRED: ['EXPIRED', 'expired'],
  QUEUE_FULL: ['QUEUE_FULL', 'failed'],
  SUPERSEDED: ['SUPERSEDED', 'superseded'],
};

/** A fault of our own must not look like the device's, and must not vanish either. */
function asDeviceError(delivery: Ended, error: unknown): DeviceError {
  const { abort, answer, operationName } = delivery;
  const { reason } = abort;
  if (reason && answer) return cutShort(delivery, reason);
  if (error instanceof DeviceError) return error;
  if (reason) {
    const [code, outcome] = unsent[reason.code] ?? (['ABORTED', 'failed'] as const);
    const sentence = localized('nothingSent', {
      reason: localized('ofOperation', { operation: operationName, reason: reason.said }),
    });
    return new DeviceError(code, sentence, { operationName, outcome, cause: error });
  }
  return new DeviceError(
    'PROTOCOL',
    localized('ofOperation', {
      operation: operationName,
      reason: localized('fault', { words: wordsOf(error) }),
    }),
    {
      operationName,
      cause: error,
      outcome: abort.wasOnWire ? 'unknown' : 'failed',
    },
  );
}

/** The device said yes, and then this was closed before it was seen whether that holds. */
function cutShort({ operationName, device }: Ended, reason: Failure): DeviceError {
  const sentence = localized('notFollowed', {
    operation: operationName,
    device: device.name,
    reason: reason.said,
  });
  return new DeviceError('ABORTED', sentence, { operationName, outcome: 'unknown', cause: reason });
}
