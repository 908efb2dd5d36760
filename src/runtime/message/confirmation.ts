import { createHash } from 'node:crypto';
import { isPlainObject } from '../../catalogue/coerce';
import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import type { Confirmation, Parameters } from '../../catalogue/operation';
import { type OperationName, operation } from '../../catalogue/operation-name';
import type { Turn } from '../../client/client';
import { DeviceError, type ErrorDetails, LocalizedError, reasonOf } from '../../client/errors';
import { Abort } from '../../client/queue/entry';
import { sleep } from '../../time/sleep';
import type { Device } from '../device/device';
import { foundAgain } from '../device/registry';
import type { DeliveryContext } from './hooks';

/**
 * Compares a file with the file of the device. If both are the same, the delivery is confirmed without sending.
 */
export async function isAlreadyThere(delivery: DeliveryContext, turn: Turn): Promise<boolean> {
  const { abort, parameters } = delivery;
  try {
    const answer = await turn.call(operation('files/md5sum'), { path: parameters.path });
    const { md5sum } = (answer.body ?? {}) as { md5sum?: unknown };
    if (String(md5sum).toLowerCase() !== contentMd5(parameters)) return false;
    delivery.answer = { ...answer, body: undefined };
    delivery.outcome = 'confirmed';
    delivery.note(localized('sameFile'));
    return true;
  } catch (error) {
    // The file is missing, or the device reports no MD5. The upload reports any other problem.
    if (abort.reason) throw error;
    return false;
  }
}

export async function reload({ operationName }: DeliveryContext, turn: Turn): Promise<void> {
  try {
    await turn.call(operation('system/reload'), {});
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    const { code, attempts, fault, place, statusCode } = error;
    const details = [fault.reason, ...fault.details];
    throw new DeviceError(
      code,
      { reason: localized('notReloaded'), details },
      {
        operationName,
        place,
        sent: true,
        // The write succeeded, but might not be in effect.
        outcome: 'unknown',
        attempts: attempts + 1,
        ...(statusCode !== undefined && { statusCode }),
        cause: error,
      },
    );
  }
}

/**
 * Time limit and pause for the reads after a reload, in milliseconds. The device shows the new value only
 * after a while (docs/field-notes.md, section 5).
 */
const reloadLimitMs = 10_000;
const reloadPollMs = 500;

/**
 * Confirms a write by reading the value back. If the value cannot be read, the write is not confirmed, and a
 * note has the reason.
 * @throws DeviceError PROTOCOL if the device reports another value
 */
export async function confirm(
  delivery: DeliveryContext,
  turn: Turn,
  confirmation: Confirmation,
): Promise<void> {
  const limit = performance.now() + (delivery.has('reloadAfter') ? reloadLimitMs : 0);
  try {
    for (;;) {
      const different = await firstDifference(delivery, turn, confirmation);
      if (different === undefined) break;
      if (performance.now() >= limit) throw new Differs(different);
      await sleep(reloadPollMs, delivery.abort);
    }
    delivery.outcome = 'confirmed';
  } catch (error) {
    if (error instanceof Differs) throw differs(delivery, error.what);
    if (delivery.abort.reason) throw error;
    delivery.note(localized('notReadBack', { reason: reasonOf(error) }));
  }
}

const contentMd5s = new WeakMap<Parameters, string>();

function contentMd5(parameters: Parameters): string {
  const known = contentMd5s.get(parameters);
  if (known !== undefined) return known;
  const { content } = parameters;
  const hash = createHash('md5').update(Buffer.isBuffer(content) ? content : String(content));
  const md5 = hash.digest('hex');
  contentMd5s.set(parameters, md5);
  return md5;
}

class Differs extends Error {
  constructor(readonly what: string) {
    super(what);
  }
}

/**
 * Returns the error of a write whose value differs when read back. The error names only the parameter, since
 * the value might be a secret.
 */
function differs({ operationName, device }: DeliveryContext, what: string): DeviceError {
  const place = `"${device.name}"`;
  const details = { operationName, place, sent: true, attempts: 1 };
  return new DeviceError('PROTOCOL', localized('readsOtherwise', { what }), details);
}

async function firstDifference(
  { parameters }: DeliveryContext,
  turn: Turn,
  confirmation: Confirmation,
): Promise<string | undefined> {
  const { by, compare, parameter = '', answer = '' } = confirmation;
  if (compare === 'each') return firstDifferentSetting(parameters, turn, by);
  const request = compare === 'md5' ? { path: parameters.path } : {};
  const seen = await read(turn, by, request, answer);
  if (compare === 'md5') {
    return seen.toLowerCase() === contentMd5(parameters) ? undefined : parameter;
  }
  const level = Number.parseFloat(seen);
  // A device that does not measure a level can report a text. Such a text does not prove that the level is
  // different.
  if (Number.isNaN(level)) throw new LocalizedError(localized('noNumber', { name: answer }));
  return level === Number.parseFloat(String(parameters[parameter])) ? undefined : parameter;
}

async function firstDifferentSetting(
  written: Parameters,
  turn: Turn,
  by: string,
): Promise<string | undefined> {
  for (const [name, value] of Object.entries(written)) {
    if (value !== (await read(turn, by, { name }, name))) return name;
  }
  return undefined;
}

/**
 * Returns one value of a response.
 * @throws Error if the response lacks the value: a missing value does not prove that the value differs
 */
async function read(turn: Turn, by: string, parameters: Parameters, name: string): Promise<string> {
  // A test checks that every `by` in the catalogue names an operation.
  const { body } = await turn.call(operation(by as OperationName), parameters);
  const seen = isPlainObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  if (seen === undefined || seen === null) throw new LocalizedError(localized('notNamed', { name }));
  return String(seen);
}

interface WaitLimits {
  readonly pollMs: number;
  /** Time after which a device that never went offline is treated as restarted, in milliseconds. */
  readonly graceMs: number;
  /**
   * Maximum duration of the wait, in milliseconds; a firmware upgrade takes up to 240 s (docs/field-notes.md,
   * section 3).
   */
  readonly limitMs: number;
}

const defaultWaitLimits: WaitLimits = { pollMs: 2_000, graceMs: 20_000, limitMs: 360_000 };

const signsOfLife = ['AUTHENTICATION', 'REFUSED'];
const unavailable = 503;

/**
 * Waits until a restarting device answers again: the device must go offline and come back, or stay online for
 * the grace time. If a deploy replaces the device, its successor is polled.
 * @returns a note for the receipt
 * @throws DeviceError TIMEOUT if the device does not answer within the limit; ABORTED if a deploy removes the
 * device
 */
export async function waitUntilBack(
  delivery: DeliveryContext,
  limits: WaitLimits = defaultWaitLimits,
): Promise<Text> {
  const started = performance.now();
  let { device } = delivery;
  let wentAway = false;
  for (;;) {
    await sleep(limits.pollMs, delivery.abort);
    const waitedMs = performance.now() - started;
    if (device.isClosed) device = foundAgain(device) ?? takenOut(delivery);
    const isThere = await answers(delivery, device, limits.pollMs);
    if (isThere && (wentAway || waitedMs >= limits.graceMs))
      return localized('backAfter', { seconds: seconds(waitedMs) });
    wentAway ||= isThere === false;
    if (waitedMs >= limits.limitMs) throw neverBack(delivery, waitedMs);
    delivery.progress(`${seconds(waitedMs)} s`);
  }
}

/** Whether the device answers; undefined if a deploy closed the device during the request. */
async function answers(
  { abort, operation: asked }: DeliveryContext,
  device: Device,
  pollMs: number,
): Promise<boolean | undefined> {
  const look = operation('info/about');
  const options = { timeoutMs: Math.max(pollMs, 1_000) };
  // A separate abort: closing the device must end this request, but not the delivery.
  const end = new Abort();
  abort.setListener((reason) => end.abort(reason));
  try {
    // A poll, since the queue limit does not count polls and a full queue proves nothing about the device.
    const entry = device.take(look, end, { isReading: true });
    await device.during(entry, undefined, 'info/about', (turn) => turn.call(look, {}, options));
    return true;
  } catch (error) {
    if (abort.reason) throw error;
    if (device.isClosed) return undefined;
    if (!(error instanceof DeviceError)) return false;
    if (asked.id === 'restore') return error.statusCode !== undefined;
    return signsOfLife.includes(error.code) && error.statusCode !== unavailable;
  } finally {
    abort.setListener(undefined);
  }
}

function takenOut({ operationName, device }: DeliveryContext): never {
  const words = joinMessages([localized('notFollowed'), localized('closedByDeploy')]);
  throw new DeviceError('ABORTED', words, unclear(operationName, device));
}

function neverBack({ operationName, device }: DeliveryContext, waitedMs: number): DeviceError {
  const reason = localized('neverBack', { seconds: seconds(waitedMs) });
  return new DeviceError('TIMEOUT', reason, unclear(operationName, device));
}

function unclear(operationName: string, { name }: Device): ErrorDetails {
  return { operationName, place: `"${name}"`, sent: true, outcome: 'unknown', attempts: 1 };
}

function seconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 1000));
}
