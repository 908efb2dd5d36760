import {
  dependsOnIdentity,
  findUnsupported,
  findUnsupportedAt,
  needsOf,
  needsOfAny,
} from '../../catalogue/compatibility';
import { daysAndHours } from '../../catalogue/duration';
import { joinMessages, localized } from '../../catalogue/localized-message';
import type { Operation, Parameters } from '../../catalogue/operation';
import { addDetails, nothingSent } from '../../catalogue/sentence';
import { checkParameters } from '../../catalogue/validate';
import type { Answer, CallOptions, Turn } from '../../client/client';
import { DeviceError, type ErrorCode, type FailedOutcome, wordsOf } from '../../client/errors';
import { Failure } from '../../client/failure';
import { Abort, type QueueEntry } from '../../client/queue/entry';
import type { Device } from '../device/device';
import type { Identity } from '../device/identity';
import { otherIdsOf } from '../device/registry';
import { emitSending, realAlerts } from './bus';
import type { ConcurrencyLimiter, Permit } from './concurrency-limiter';
import { confirm, isAlreadyThere, reload, waitUntilBack } from './confirmation';
import type { Delivery } from './delivery';
import { carryOutOpening, isOpening } from './opening-starts';
import type { Receipt } from './receipt';
import { stopCommandFor, stopContext } from './stop-command';

/** A delivery that can be sent: its target was found, and its command is valid. */
interface Sendable extends Delivery {
  readonly device: Device;
  readonly operation: Operation;
  readonly entry: QueueEntry;
}

/**
 * Takes a delivery to its target and calls `report` with the receipt. Never rejects: the receipt contains the
 * error.
 */
export function deliver(delivery: Delivery, report?: (receipt: Receipt) => void): Promise<Receipt> {
  const { abort, operation, command } = delivery;
  const { deviceOutput, action } = command;
  if (!operation?.autoStop || !deviceOutput || !isOpening(deviceOutput.name))
    return deliverToEnd(delivery, report);
  const isSent = () => abort.onWire && delivery.entry?.isReadOnlySoFar === false;
  return carryOutOpening(action.RED, { abort, isSent }, () => deliverToEnd(delivery, report));
}

async function deliverToEnd(delivery: Delivery, report?: (receipt: Receipt) => void): Promise<Receipt> {
  let receipt: Receipt;
  try {
    // A target of a rolling message can be aborted before its turn.
    if (delivery.isBegun && delivery.abort.reason) throw delivery.abort.reason;
    if (delivery.successor) await delivery.successor;
    if (!isSendable(delivery)) throw delivery.target.error ?? delivery.command.fault;
    await takeTurn(delivery);
    if (delivery.written) await delivery.written;
    // Waits after the turn, so that other calls do not wait for a device that restarts.
    if (delivery.answer && delivery.has('waitUntilBack')) await waitUntilBack(delivery);
    receipt = delivery.receipt();
  } catch (error) {
    delivery.withdraw();
    // Awaits even `undefined`: no target may report its end before the message has started at all targets.
    await delivery.written;
    receipt = receiptOfFailure(delivery, failureOf(delivery, error));
  } finally {
    delivery.releaseGuard(false);
  }
  report?.(receipt);
  return receipt;
}

function isSendable(delivery: Delivery): delivery is Sendable {
  const { device, operation, entry, command } = delivery;
  return device !== undefined && operation !== undefined && entry !== undefined && !command.fault;
}

/** Waits for the turn of the delivery, and takes its steps. */
function takeTurn(delivery: Sendable): Promise<void> {
  const { device, command } = delivery;
  const { action, parameters } = command;
  const { known } = device.recognition;
  refuseUnsupported(delivery, withoutLackingEnd(delivery, parameters), known);
  const preparing = action.hooks.prepare?.(delivery, optionsOf(delivery));
  return preparing ? preparing.then(() => enterTurn(delivery, known)) : enterTurn(delivery, known);
}

function enterTurn(delivery: Sendable, known: Identity): Promise<void> {
  const { device, operation, entry, command, limiter } = delivery;
  const { action, deviceOutput } = command;
  if (deviceOutput && operation.deviceOutput && !operation.isStop)
    delivery.guard = action.autoStops?.hold(device.id, deviceOutput.name, otherIdsOf(device));
  return device.during(entry, deviceOutput, delivery.operationName, (turn) =>
    limiter ? takeStepsAmong(limiter, delivery, turn, known) : takeSteps(delivery, turn, known),
  );
}

/**
 * The steps of a delivery in its turn, in this order.
 * @param known the identity for which the unchanged parameters were checked before the turn
 */
async function takeSteps(delivery: Sendable, turn: Turn, known: Identity): Promise<void> {
  const { command } = delivery;
  const identifying = identify(delivery, turn);
  const identity = identifying instanceof Promise ? await identifying : identifying;
  const adapted = adapt(delivery, identity, known);
  if (identity !== known || delivery.parameters !== command.parameters)
    refuseUnsupported(delivery, delivery.parameters, identity);
  noteLongTime(delivery);
  if (endDryRun(delivery) || holdBack(delivery)) return;
  const arming = armStop(delivery, adapted, identity);
  if (arming) await arming;
  await send(delivery, turn);
  recordDone(delivery, turn);
}

async function takeStepsAmong(
  limiter: ConcurrencyLimiter,
  delivery: Sendable,
  turn: Turn,
  known: Identity,
): Promise<void> {
  const waiting = new Abort();
  const entering = limiter.enter(waiting);
  const permit =
    entering instanceof Promise ? await pauseFor(entering, limiter, delivery, waiting) : entering;
  try {
    await takeSteps(delivery, turn, known);
  } finally {
    limiter.leave(permit);
  }
}

/** Meanwhile, other calls have the connections of the device. */
async function pauseFor(
  entering: Promise<Permit>,
  limiter: ConcurrencyLimiter,
  { device, entry }: Sendable,
  waiting: Abort,
): Promise<Permit> {
  try {
    return await device.pauseUntil(entry, entering);
  } catch (error) {
    waiting.abort(Failure.of(error));
    entering.then(
      (permit) => limiter.leave(permit),
      () => {},
    );
    throw error;
  }
}

/**
 * Returns the identity of the device. Reads the identity from the device only if the delivery depends on the
 * identity.
 * @throws DeviceError if the model is needed and cannot be read, as a rejection
 */
function identify(delivery: Sendable, turn: Turn): Promise<Identity> | Identity {
  const { abort, device, operation, command } = delivery;
  const { action, options, parameters } = command;
  const { recognition } = device;
  if (action.hooks.needsModel?.(parameters) && !recognition.isModelSet) {
    const { retryForMs } = options;
    return device.identityNeededIn(turn, { retryForMs }).catch((error: unknown) => {
      throw abort.reason ?? modelNotAsked(error);
    });
  }
  if (!recognition.isOpen) return recognition.known;
  const needsFirmware = action.hooks.needsFirmware?.(operation, parameters) ?? false;
  const isAsked = needsFirmware || (!operation.urgent && isForIdentity(delivery));
  return isAsked ? device.identityIn(turn) : recognition.known;
}

/** Whether the delivery depends on the identity of the device. */
function isForIdentity({ device, operation, command }: Sendable): boolean {
  const stopsByItself = command.options.endAfterMs !== undefined && operation.autoStop?.field !== undefined;
  if (stopsByItself && !device.letDeviceDecide) return true;
  return dependsOnIdentity(device, needsOf(operation, command.parameters));
}

/**
 * Adapts the parameters to the device.
 * @returns the adapted parameters, with an end that the device lacks
 */
function adapt(delivery: Sendable, identity: Identity, known: Identity): Parameters {
  const { command } = delivery;
  const { hooks } = command.action;
  let { parameters } = command;
  delivery.parameters = parameters;
  if (hooks.adapt) {
    // `adapt` cannot translate names for a model without the operation. The known identity was checked before.
    if (identity !== known) refuseUnsupported(delivery, undefined, identity);
    const adapted = hooks.adapt(delivery, identity);
    if (adapted.note) delivery.note(adapted.note);
    parameters = adapted.parameters;
  }
  delivery.parameters = withoutLackingEnd(delivery, parameters);
  return parameters;
}

/**
 * Removes the parameter with which the device stops the operation by itself, if only this parameter is not
 * supported. Has no effect unless Node-RED then stops the operation (`stopsForOlder`).
 */
function withoutLackingEnd({ device, operation, command }: Sendable, parameters: Parameters): Parameters {
  const field = operation.autoStop?.field;
  if (!command.action.stopsForOlder || field === undefined || parameters[field] === undefined)
    return parameters;
  const isUnsupported = (some: Parameters) =>
    findUnsupportedAt(device, needsOf(operation, some)) !== undefined;
  if (!isUnsupported(parameters)) return parameters;
  const { [field]: _, ...others } = parameters;
  return isUnsupported(others) ? parameters : others;
}

/**
 * @param parameters undefined to check the operation alone
 * @throws DeviceError NOT_SUPPORTED if the device does not support the operation or one of the parameters
 */
function refuseUnsupported(
  { device, operation, operationName }: Sendable,
  parameters: Parameters | undefined,
  identity: Identity,
): void {
  const needs = parameters ? needsOf(operation, parameters) : needsOfAny(operation);
  const unsupported = findUnsupportedAt(device, needs, identity);
  if (!unsupported) return;
  throw new DeviceError('NOT_SUPPORTED', nothingSent(unsupported.sentence), {
    operationName,
    place: `"${device.name}"`,
    outcome: unsupported.because === 'model' ? 'skipped' : 'failed',
  });
}

function noteLongTime(delivery: Delivery): void {
  const { endAfterMs } = delivery.command.options;
  const time = endAfterMs !== undefined && daysAndHours(endAfterMs / 1_000);
  if (time) delivery.note(localized('endsInDays', { time }));
}

/**
 * Ends a dry run, which still sends operations that only read.
 * @returns whether the delivery has ended
 */
function endDryRun(delivery: Sendable): boolean {
  const { device, target, command } = delivery;
  if ((!device.dryRun && !target.dryRun) || command.readsOnly) return false;
  delivery.outcome = 'dry-run';
  delivery.answer = command.action.hooks.dryRun?.(delivery);
  return true;
}

/**
 * Ends a delivery that a real alert holds back.
 * @returns whether the delivery has ended
 */
function holdBack(delivery: Sendable): boolean {
  const { device, operation, command } = delivery;
  const { deviceOutput } = command;
  const restarts = operation.options?.includes('waitUntilBack') || delivery.has('reloadAfter');
  if (operation.isStop || (!deviceOutput && !restarts) || command.options.duringAlert) return false;
  const alert = realAlerts.ownerOf(device, deviceOutput?.name);
  if (alert === undefined) return false;
  delivery.outcome = 'skipped';
  delivery.note(localized('duringAlert', { alert }));
  return true;
}

/**
 * Arms the stop of an operation with an end: the device stops by itself if possible; otherwise the auto-stop
 * scheduler sends a stop.
 */
function armStop(delivery: Sendable, adapted: Parameters, identity: Identity): Promise<void> | undefined {
  const { operation, parameters, command } = delivery;
  const { endAfterMs } = command.options;
  if (endAfterMs !== undefined) {
    const ending = endingByItself(operation, parameters, endAfterMs, identity);
    if (!ending) return arm(delivery, endAfterMs);
    delivery.parameters = ending;
    return undefined;
  }
  if (parameters === adapted) return undefined;
  const name = operation.autoStop?.field ?? '';
  const seconds = Number(adapted[name]);
  if (!(seconds > 0)) return undefined;
  delivery.note(localized('stoppedByNodeRed', { name, seconds: String(seconds) }));
  return arm(delivery, seconds * 1_000);
}

function arm(
  { device, operation, parameters, command, guard }: Sendable,
  afterMs: number,
): Promise<void> | undefined {
  const sent = stopCommandFor(operation, parameters);
  return sent && guard?.arm({ ...sent, ...stopContext(device, command.action.node), afterMs });
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

/** Sends the operation and follows the options of the node. A later call is sent after the guard is released. */
async function send(delivery: Sendable, turn: Turn): Promise<void> {
  const { device, operation, operationName, parameters, command } = delivery;
  const { node, hooks } = command.action;
  const restarts = operation.options?.includes('waitUntilBack');
  const watch = emitSending(() => ({ device, operation, operationName, parameters, sender: node, turn }));
  try {
    if (watch?.ready) await watch.ready;
    if (!delivery.has('skipUnchanged') || !(await isAlreadyThere(delivery, turn))) {
      delivery.answer = await request(delivery, turn);
      if (restarts) device.recordRestart();
      if (delivery.has('reloadAfter') && !operation.composedOf) await reload(delivery, turn);
      if (delivery.has('confirmWrite') && operation.confirm && operation.confirm.compare !== 'schedule')
        await confirm(delivery, turn, operation.confirm);
    }
    const isOver = watch?.end(true);
    if (isOver) await isOver;
  } catch (error) {
    const mayHaveHappened = failureOf(delivery, error).outcome === 'unknown';
    if (restarts && mayHaveHappened) device.recordRestart();
    void watch?.end(mayHaveHappened);
    delivery.releaseGuard(mayHaveHappened);
    if (mayHaveHappened && !operation.isStop) delivery.awaitWrite(hooks.done?.(delivery));
    throw error;
  }
  delivery.releaseGuard(true);
}

function optionsOf({ operationName, command }: Sendable): CallOptions {
  const { retryForMs } = command.options;
  return { operationName, ...(retryForMs > 0 && { retryForMs }) };
}

function request(delivery: Sendable, turn: Turn): Promise<Answer> {
  const { operation, parameters, command } = delivery;
  const onProgress = transferProgress((words) => delivery.progress(words));
  const options = { ...optionsOf(delivery), onProgress };
  const own = command.action.hooks.send?.(delivery, turn, options);
  return own ?? turn.call(operation, parameters, options, true);
}

const minShownBytes = 256 * 1024;

function transferProgress(showText: (text: string) => void): (bytes: number, all?: number) => void {
  let shown = 0;
  return (bytes, all) => {
    if (all === undefined || all < minShownBytes) return;
    const tenths = Math.floor((bytes / all) * 10);
    if (tenths <= shown || tenths >= 10) return;
    shown = tenths;
    showText(`${tenths * 10} %`);
  };
}

/** Records what the operation has changed, for the hooks, the listeners and the auto-stops. */
function recordDone(delivery: Sendable, turn: Turn): void {
  const { device, operation, parameters, command } = delivery;
  const { action, deviceOutput } = command;
  delivery.awaitWrite(action.hooks.done?.(delivery));
  if (deviceOutput) {
    action.onDone?.({ device, deviceOutput: deviceOutput.name, operation, parameters });
    if (operation.isStop)
      delivery.awaitWrite(action.autoStops?.recordEnded(device.id, deviceOutput.name, otherIdsOf(device)));
  }
  if (turn.isEarlyStop) delivery.note(localized('startUnderWay'));
}

/** Returns the receipt of a failure. A start that an alert has overtaken is held back, which is no failure. */
function receiptOfFailure(delivery: Delivery, error: DeviceError): Receipt {
  const isOvertaken = error.code === 'SUPERSEDED' && isSendable(delivery) && holdBack(delivery);
  return delivery.receipt(isOvertaken ? undefined : error);
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

const unsent: Readonly<Record<string, readonly [code: ErrorCode, outcome: FailedOutcome]>> = {
  EXPIRED: ['EXPIRED', 'expired'],
  QUEUE_FULL: ['QUEUE_FULL', 'failed'],
  SUPERSEDED: ['SUPERSEDED', 'superseded'],
};

function failureOf(delivery: Delivery, error: unknown): DeviceError {
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

function cutShort(delivery: Delivery, reason: Failure): DeviceError {
  const words = joinMessages([localized('notFollowed'), reason.localizedMessage]);
  const { operationName } = delivery;
  const place = placeOf(delivery);
  return new DeviceError('ABORTED', words, { operationName, place, outcome: 'unknown', cause: reason });
}

function placeOf({ addressee }: Delivery): string {
  return `"${addressee.device}"`;
}
