import {
  dependsOnIdentity,
  findUnsupported,
  findUnsupportedAt,
  needsOfAny,
  type Requirements,
} from '../../catalogue/compatibility';
import { daysAndHours } from '../../catalogue/duration';
import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import type { Operation, Option, Parameters } from '../../catalogue/operation';
import { addDetails, nothingSent } from '../../catalogue/sentence';
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
import { emitSending } from './bus';
import type { Command } from './command';
import type { ConcurrencyLimiter, Permit } from './concurrency-limiter';
import type { ActionHooks, DeliveryContext } from './hooks';
import { carryOutOpening, isOpening } from './opening-starts';
import { realAlerts } from './real-alerts';
import { isEmpty, localizedPartsOf, type Outcome, type Receipt, receiptOf } from './receipt';
import { carryOut, waitUntilBack } from './steps';
import { type StartGuard, stopCommandFor, stopContext, whenAll } from './stop-command';

/**
 * Maximum wait for a deploy to replace a closed device, in milliseconds. Node-RED waits at most 15 s for a
 * node to close, so a longer deploy has failed.
 */
const maxDeployMs = 30_000;

/**
 * One message on its way to one target. The delivery has a queue entry from the arrival of the message on. If a
 * deploy has closed the device, the delivery waits for the successor and keeps its place in the order.
 */
export class Delivery implements DeliveryContext {
  readonly abort = new Abort();
  answer: Answer | undefined;
  parameters: Parameters = {};
  outcome: Outcome = 'accepted';
  #device: Device | undefined;
  #entry: QueueEntry | undefined;
  /** Rejects if the wait for the successor of a closed device ends without a successor; undefined if open. */
  #successor: Promise<void> | undefined;
  #isAnnounced = false;
  #isWithdrawn = false;
  #notes: Map<string, Text> | undefined;
  #checkedFor: Identity | undefined;
  #hold: StartGuard | undefined;
  /**
   * Resolves when the state that must survive a crash is on disk or its write has failed; undefined if there
   * is nothing to wait for.
   */
  #written: Promise<void> | undefined;

  constructor(
    readonly command: Command,
    private readonly target: Target,
    private readonly limiter?: ConcurrencyLimiter,
  ) {
    // Earlier messages that still wait for their slice must take their queue entries first.
    burst.beginBefore(command);
    this.abort.admission = command.action.admission;
    const { device } = target;
    this.#device = device;
    if (!device) return;
    if (!device.isClosed) this.#takeEntry(device);
    else {
      this.#successor = this.#waitForSuccessor(device);
      // `end` receives the rejection. Without this handler, a rejection before `end` could end Node-RED.
      this.#successor.catch(() => {});
    }
  }

  get device(): Device {
    if (this.#device) return this.#device;
    throw this.target.error;
  }

  get letDeviceDecide(): boolean {
    return this.#device?.letDeviceDecide === true;
  }

  get addressee(): Pick<Receipt, 'device' | 'address'> {
    const device = this.#device;
    return { device: device?.name ?? this.target.asked ?? '', address: device?.address ?? '' };
  }

  get operationName(): string {
    return this.command.operationName;
  }

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

  get payload(): unknown {
    const { fault, operation } = this.command;
    if (fault || operation?.answer === 'none' || isEmpty(this.answer?.body)) return undefined;
    return this.answer?.body;
  }

  has(option: Option): boolean {
    return this.operation.options?.includes(option) === true && isOn(this.command.action.properties[option]);
  }

  note(words: Text): void {
    this.#notes ??= new Map();
    this.#notes.set(String(words), words);
  }

  progress(words: string): void {
    this.command.action.progress(`${this.operation.id} ${words}`);
  }

  announce(): void {
    this.#isAnnounced = true;
    const { deviceOutput, inOrderOf } = this.command.operation ?? {};
    const family = deviceOutput?.name ?? inOrderOf;
    if (this.#entry && family && !this.abort.reason) this.#device?.announce(this.#entry, family);
  }

  withdraw(): void {
    this.#isWithdrawn = true;
    if (this.#entry) this.#device?.withdraw(this.#entry);
  }

  /**
   * Waits for the turn, sends the operation and calls `report` with the receipt. Never rejects: the receipt
   * contains the error.
   */
  end(report?: (receipt: Receipt) => void): Promise<Receipt> {
    const { operation, deviceOutput, action } = this.command;
    if (!operation?.autoStop || !deviceOutput || !isOpening(deviceOutput.name)) return this.#end(report);
    const { abort } = this;
    const isSent = () => abort.onWire && this.#entry?.isReadOnlySoFar === false;
    return carryOutOpening(action.RED, { abort, isSent }, () => this.#end(report));
  }

  async #end(report?: (receipt: Receipt) => void): Promise<Receipt> {
    let receipt: Receipt;
    try {
      if (this.#successor) await this.#successor;
      await this.#endAt(this.device);
      if (this.#written) await this.#written;
      // Waits after the turn, so that other calls do not wait for a device that restarts.
      if (this.#waitsUntilBack) this.note(await waitUntilBack(this));
      receipt = this.#receipt();
    } catch (error) {
      this.withdraw();
      // Awaits even `undefined`: no target may report its end before the message has started at all targets.
      await this.#written;
      receipt = this.#failed(asDeviceError(this, error));
    } finally {
      void this.#releaseHold(false);
    }
    report?.(receipt);
    return receipt;
  }

  #endAt(device: Device): Promise<void> {
    const { operation } = this;
    const { action, fault, parameters, deviceOutput } = this.command;
    if (fault) throw fault;
    this.#checkedFor = device.knownIdentity;
    this.#refuseUnsupported(this.#needs(this.#withoutLackingEnd(parameters)), this.#checkedFor);
    if (deviceOutput && operation.deviceOutput && !operation.isStop)
      this.#hold = action.autoStops?.hold(device.id, deviceOutput.name, otherIdsOf(device));
    const { limiter } = this;
    const take = (turn: Turn) => (limiter ? this.#doAmong(limiter, turn) : this.#doIn(turn));
    return device.during(this.#entryInQueue, deviceOutput, this.operationName, take);
  }

  async #doAmong(limiter: ConcurrencyLimiter, turn: Turn): Promise<void> {
    const waiting = new Abort();
    const entering = limiter.enter(waiting);
    const permit = entering instanceof Promise ? await this.#pauseFor(entering, limiter, waiting) : entering;
    try {
      await this.#doIn(turn);
    } finally {
      limiter.leave(permit);
    }
  }

  /** Meanwhile, other calls have the connections of the device. */
  async #pauseFor(entering: Promise<Permit>, limiter: ConcurrencyLimiter, waiting: Abort): Promise<Permit> {
    try {
      return await this.device.pauseUntil(this.#entryInQueue, entering);
    } catch (error) {
      waiting.abort(Failure.of(error));
      entering.then(
        (permit) => limiter.leave(permit),
        () => {},
      );
      throw error;
    }
  }

  async #doIn(turn: Turn): Promise<void> {
    const { device, command, operation } = this;
    const { action, parameters } = command;
    const asked = this.#identityIn(turn);
    const identity = asked instanceof Promise ? await asked : asked;
    this.parameters = parameters;
    if (action.hooks.adapt) {
      // `adapt` cannot translate names for a model without the operation, so this check comes first.
      this.#refuseUnsupported(needsOfAny(operation), identity);
      const adapted = action.hooks.adapt(this, identity);
      if (adapted.note) this.note(adapted.note);
      this.parameters = adapted.parameters;
    }
    const given = this.parameters;
    this.parameters = this.#withoutLackingEnd(given);
    if (identity !== this.#checkedFor || this.parameters !== parameters)
      this.#refuseUnsupported(this.#needs(this.parameters), identity);
    const { endAfterMs } = command.options;
    const time = daysAndHours((endAfterMs ?? 0) / 1_000);
    if (time) this.note(localized('endsInDays', { time }));
    if (this.#isDryRun) {
      this.outcome = 'dry-run';
      return;
    }
    const alert = this.#heldBackBy;
    if (alert !== undefined) {
      this.#holdBack(alert);
      return;
    }
    if (endAfterMs !== undefined) await this.#prepareAutoStop(endAfterMs, identity);
    if (this.parameters !== given) await this.#stopForDevice(given);
    const watch = emitSending(() => {
      const { operationName, parameters: sent } = this;
      return { device, operation, operationName, parameters: sent, sender: action.node, turn };
    });
    // The guard is released within the turn, before a later call is sent.
    try {
      if (watch?.ready) await watch.ready;
      await carryOut(this, turn);
      const isOver = watch?.end(true);
      if (isOver) await isOver;
      this.#awaitLater(this.#releaseHold(true));
    } catch (error) {
      const mayHaveHappened = asDeviceError(this, error).outcome === 'unknown';
      void watch?.end(mayHaveHappened);
      this.#awaitLater(this.#releaseHold(mayHaveHappened));
      if (mayHaveHappened && !operation.isStop) this.#awaitLater(action.hooks.done?.(this));
      throw error;
    }
    this.#awaitLater(action.hooks.done?.(this));
    const { deviceOutput } = command;
    if (deviceOutput)
      action.onDone?.({ device, deviceOutput: deviceOutput.name, operation, parameters: this.parameters });
    if (deviceOutput && operation.isStop)
      this.#awaitLater(action.autoStops?.recordEnded(device.id, deviceOutput.name, otherIdsOf(device)));
    if (turn.isEarlyStop) this.note(localized('startUnderWay'));
  }

  get #entryInQueue(): QueueEntry {
    if (this.#entry) return this.#entry;
    throw this.target.error ?? this.command.fault;
  }

  #takeEntry(device: Device): void {
    const { operation, options, since } = this.command;
    if (!operation || this.#isWithdrawn) return;
    this.#entry = device.take(operation, this.abort, options, since);
    if (this.#isAnnounced) this.announce();
  }

  #waitForSuccessor(closed: Device): Promise<void> {
    return new Promise((resolve, reject) => {
      const { operation, options } = this.command;
      // This entry only counts towards the queue limit, which also applies to a closed device.
      const counted = operation && closed.take(operation, this.abort, options);
      if (this.abort.reason) return reject(this.abort.reason);
      const release = () => counted && closed.withdraw(counted);
      const leftMs = operation ? queuePolicyFor(operation, 0, options).expiresAt : Number.POSITIVE_INFINITY;
      const why = localized('closedByDeploy');
      const over =
        leftMs <= maxDeployMs ? Failure.own('EXPIRED', localized('tooLate')) : Failure.own('ABORTED', why);
      const limit = new Deadline(() => this.abort.abort(over), Math.min(leftMs, maxDeployMs));
      const giveUp = awaitSuccessor(closed, (successor) => {
        limit.clear();
        release();
        this.abort.setListener(undefined);
        if (!successor || this.target.stillIncludes?.(successor) === false) {
          const place = `"${closed.name}"`;
          return reject(new DeviceError('ABORTED', nothingSent(localized('takenOut')), { place }));
        }
        this.#device = successor;
        this.#takeEntry(successor);
        resolve();
      });
      this.abort.setListener((reason) => {
        limit.clear();
        release();
        giveUp();
        reject(reason);
      });
    });
  }

  #releaseHold(happened: boolean): Promise<void> | undefined {
    const hold = this.#hold;
    this.#hold = undefined;
    return hold?.release(happened);
  }

  #awaitLater(writing: Promise<void> | undefined): void {
    if (writing) this.#written = whenAll([this.#written, writing]);
  }

  /**
   * Returns the identity of the device. Reads the identity from the device only if the delivery depends on
   * the identity.
   * @throws DeviceError if the model is needed and cannot be read, as a rejection
   */
  #identityIn(turn: Turn): Promise<Identity> | Identity {
    const { device, command, operation } = this;
    if (command.action.hooks.needsModel?.(command.parameters) && !device.recognition.isModelSet) {
      const { retryForMs } = command.options;
      return device.identityNeededIn(turn, { retryForMs }).catch((error: unknown) => {
        throw this.abort.reason ?? modelNotAsked(error);
      });
    }
    const { recognition } = device;
    if (!recognition.isOpen) return recognition.known;
    const { action, parameters } = command;
    const needsFirmware = action.hooks.needsFirmware?.(operation, parameters) ?? false;
    const isAsked = needsFirmware || (!operation.urgent && this.#dependsOnIdentity);
    return isAsked ? device.identityIn(turn) : recognition.known;
  }

  get #waitsUntilBack(): boolean {
    return this.outcome !== 'dry-run' && this.outcome !== 'skipped' && this.has('waitUntilBack');
  }

  #holdBack(alert: string): void {
    this.outcome = 'skipped';
    this.note(localized('duringAlert', { alert }));
  }

  /** Returns the receipt of a failure. A start that an alert has overtaken is held back, which is no failure. */
  #failed(error: DeviceError): Receipt {
    const alert = error.code === 'SUPERSEDED' ? this.#heldBackBy : undefined;
    if (alert === undefined) return this.#receipt(error);
    this.#holdBack(alert);
    return this.#receipt();
  }

  /** The real alert that holds this operation back; undefined if there is none. */
  get #heldBackBy(): string | undefined {
    const { device, operation, command } = this;
    if (operation.isStop || isOn(command.action.properties.duringAlert)) return undefined;
    const { deviceOutput } = command;
    if (deviceOutput) return realAlerts.ownerOf(device, deviceOutput.name);
    const restarts = operation.options?.includes('waitUntilBack') || this.has('reloadAfter');
    return restarts ? realAlerts.ownerOf(device, undefined) : undefined;
  }

  get #dependsOnIdentity(): boolean {
    const { device, operation } = this;
    const { parameters, options } = this.command;
    const stopsByItself = options.endAfterMs !== undefined && operation.autoStop?.field !== undefined;
    return (stopsByItself && !device.letDeviceDecide) || dependsOnIdentity(device, this.#needs(parameters));
  }

  /** A dry run still sends operations that only read. */
  get #isDryRun(): boolean {
    if (!this.device.dryRun && !this.target.dryRun) return false;
    return !this.readsOnly;
  }

  /**
   * Prepares the auto-stop. The device stops by itself if possible; otherwise the auto-stop scheduler sends a
   * stop.
   */
  async #prepareAutoStop(endAfterMs: number, identity: Identity): Promise<void> {
    const { operation, parameters } = this;
    const ending = endingByItself(operation, parameters, endAfterMs, identity);
    if (ending) {
      this.parameters = ending;
      return;
    }
    await this.#armStop(endAfterMs);
  }

  async #armStop(afterMs: number): Promise<void> {
    const { device, operation, parameters } = this;
    const sent = stopCommandFor(operation, parameters);
    const context = stopContext(device, this.command.action.node);
    if (sent) await this.#hold?.arm({ ...sent, ...context, afterMs });
  }

  /**
   * Removes the parameter with which the device stops the operation by itself, if only this parameter is not
   * supported. Has no effect unless Node-RED then stops the operation (`stopsForOlder`).
   */
  #withoutLackingEnd(parameters: Parameters): Parameters {
    const { device, operation } = this;
    const field = operation.autoStop?.field;
    if (!this.command.action.stopsForOlder || field === undefined || parameters[field] === undefined)
      return parameters;
    const isUnsupported = (some: Parameters) =>
      findUnsupportedAt(device, this.#needs(some), device.knownIdentity) !== undefined;
    if (!isUnsupported(parameters)) return parameters;
    const { [field]: _, ...others } = parameters;
    return isUnsupported(others) ? parameters : others;
  }

  async #stopForDevice(given: Parameters): Promise<void> {
    const name = this.operation.autoStop?.field ?? '';
    const seconds = Number(given[name]);
    if (!(seconds > 0)) return;
    this.note(localized('stoppedByNodeRed', { name, seconds: String(seconds) }));
    await this.#armStop(seconds * 1_000);
  }

  #needs(parameters: Parameters): Requirements {
    return this.command.needs(this.operation, parameters);
  }

  #refuseUnsupported(needs: Requirements, identity: Identity): void {
    const { device, operationName } = this;
    const unsupported = findUnsupportedAt(device, needs, identity);
    if (!unsupported) return;
    throw new DeviceError('NOT_SUPPORTED', nothingSent(unsupported.sentence), {
      operationName,
      place: `"${device.name}"`,
      outcome: unsupported.because === 'model' ? 'skipped' : 'failed',
    });
  }

  #receipt(error?: DeviceError): Receipt {
    const receipt = receiptOf({
      ...this.addressee,
      operationName: this.operationName,
      latencyMs: performance.now() - this.command.since,
      outcome: this.outcome,
      answer: this.answer,
      notes: this.#notes?.values(),
      error,
      by: this.command.by,
    });
    this.#device?.status.recordReceipt(receipt, localizedPartsOf(receipt).reason);
    return receipt;
  }
}

function modelNotAsked(error: unknown): unknown {
  if (!(error instanceof DeviceError)) return error;
  const { attempts, code, outcome, place, statusCode, wireMs } = error;
  const fault = addDetails(error.fault, localized('modelNotAsked'), localized('nothingSent'));
  return new DeviceError(code, fault, {
    place,
    outcome: outcome === 'unknown' ? 'failed' : outcome,
    attempts,
    wireMs,
    ...(statusCode !== undefined && { statusCode }),
    cause: error,
  });
}

/**
 * Returns the parameters with which the device stops by itself (docs/contract.md 2.5). Returns undefined if
 * the device does not support such a stop, or if the firmware is unknown.
 * @param afterMs time until the stop, in milliseconds
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

type Ended = Pick<DeliveryContext, 'abort' | 'answer' | 'operationName' | 'device'>;

const unsent: Readonly<Record<string, readonly [code: ErrorCode, outcome: FailedOutcome]>> = {
  EXPIRED: ['EXPIRED', 'expired'],
  QUEUE_FULL: ['QUEUE_FULL', 'failed'],
  SUPERSEDED: ['SUPERSEDED', 'superseded'],
};

function asDeviceError(delivery: Ended, error: unknown): DeviceError {
  const { abort, answer, operationName } = delivery;
  const { reason } = abort;
  if (reason && answer) return cutShort(delivery, reason);
  if (error instanceof DeviceError) return error;
  if (reason) {
    const [code, outcome] = unsent[reason.code] ?? (['ABORTED', 'failed'] as const);
    const words = nothingSent(reason.localizedMessage);
    return new DeviceError(code, words, { operationName, place: placeOf(delivery), outcome, cause: error });
  }
  return new DeviceError('PROTOCOL', localized('fault', { words: wordsOf(error) }), {
    operationName,
    place: placeOf(delivery),
    cause: error,
    outcome: abort.wasOnWire ? 'unknown' : 'failed',
  });
}

function cutShort(delivery: Ended, reason: Failure): DeviceError {
  const words = joinMessages([localized('notFollowed'), reason.localizedMessage]);
  const { operationName } = delivery;
  const place = placeOf(delivery);
  return new DeviceError('ABORTED', words, { operationName, place, outcome: 'unknown', cause: reason });
}

function placeOf({ device }: Ended): string {
  return `"${device.name}"`;
}
