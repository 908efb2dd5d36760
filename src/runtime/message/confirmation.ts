import { createHash } from 'node:crypto';
import { isPlainObject } from '../../catalogue/coerce';
import { printable, shorten } from '../../catalogue/describe';
import { joinMessages, localized } from '../../catalogue/localized-message';
import type { Confirmation, Parameters } from '../../catalogue/operation';
import { type OperationName, operation } from '../../catalogue/operation-name';
import type { Answer, Turn } from '../../client/client';
import { DeviceError, type ErrorDetails, LocalizedError, reasonOf } from '../../client/errors';
import { Abort } from '../../client/queue/entry';
import { type Clock, realClock } from '../../kernel/time/clock';
import { sleep } from '../../kernel/time/sleep';
import type { Device } from '../device/device';
import { compareFirmware, firmwareIn, identityIn } from '../device/identity';
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

/** The clock of the reads after a write. A test can replace the clock. */
export const readingClock: { current: Pick<Clock, 'monotonic' | 'after'> } = { current: realClock };

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
  try {
    const look = () => firstDifference(delivery, turn, confirmation);
    const different = await readUntil(delivery, look, (found) => found === undefined);
    if (different !== undefined) throw new Differs(different);
    delivery.outcome = 'confirmed';
  } catch (error) {
    if (error instanceof Differs) throw differs(delivery, error.what);
    if (delivery.abort.reason) throw error;
    delivery.note(localized('notReadBack', { reason: reasonOf(error) }));
  }
}

/**
 * Reads until a reading is as wanted: once, or after a reload for as long as a change can take to show.
 * @param limitMs time for further readings, in milliseconds
 * @returns the last reading
 */
export async function readUntil<T>(
  delivery: DeliveryContext,
  look: () => Promise<T>,
  isWanted: (seen: T) => boolean,
  limitMs = delivery.has('reloadAfter') ? reloadLimitMs : 0,
): Promise<T> {
  const { current: clock } = readingClock;
  const limit = clock.monotonic() + limitMs;
  for (;;) {
    const seen = await look();
    if (isWanted(seen) || clock.monotonic() >= limit) return seen;
    await sleep(reloadPollMs, delivery.abort, clock);
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
 * @throws LocalizedError if the response lacks the value: a missing value does not prove that the value differs
 */
async function read(turn: Turn, by: string, parameters: Parameters, name: string): Promise<string> {
  // A test checks that every `by` in the catalogue names an operation.
  return valueIn(await turn.call(operation(by as OperationName), parameters), name);
}

export function valueIn({ body }: Pick<Answer, 'body'>, name: string): string {
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
 * the grace time. If a deploy replaces the device, its successor is polled. An upgrade is confirmed if the device has
 * the announced version then, or if there was nothing to do.
 * @throws DeviceError TIMEOUT if the device does not answer within the limit; ABORTED if a deploy removes the
 * device; PROTOCOL if the upgrade has not happened
 */
export async function waitUntilBack(
  delivery: DeliveryContext,
  limits: WaitLimits = defaultWaitLimits,
): Promise<void> {
  const isUpgrade = delivery.operation.id === 'upgrade-start';
  const version = isUpgrade ? announcedIn(delivery) : undefined;
  if (isUpgrade && version === undefined) {
    delivery.outcome = 'confirmed';
    return;
  }
  const started = performance.now();
  let { device } = delivery;
  let wentAway = false;
  for (;;) {
    await sleep(limits.pollMs, delivery.abort);
    const waitedMs = performance.now() - started;
    if (device.isClosed) device = foundAgain(device) ?? takenOut(delivery);
    const found = await answers(delivery, device, limits.pollMs);
    if (found && (wentAway || waitedMs >= limits.graceMs)) {
      delivery.note(localized('backAfter', { seconds: seconds(waitedMs) }));
      if (version !== undefined) confirmVersion(delivery, version, identityIn(found.about).firmware);
      return;
    }
    wentAway ||= found === false;
    if (waitedMs >= limits.limitMs) throw neverBack(delivery, waitedMs);
    delivery.progress(`${seconds(waitedMs)} s`);
  }
}

/**
 * Returns the version that an upgrade has announced; undefined if the firmware is up to date.
 * @throws DeviceError PROTOCOL with the words of the device if it announces nothing
 */
function announcedIn({ answer, operationName, device }: DeliveryContext): string | undefined {
  const status = String(Object(answer?.body).status ?? '');
  if (status === 'updated') return undefined;
  const version = /^upgrading\b/i.test(status) ? firmwareIn(status) : undefined;
  if (version !== undefined) return version;
  const fault = {
    reason: localized('notUpgrading'),
    details: [localized('quoted', { words: printable(shorten(status)) })],
  };
  const details = { operationName, place: `"${device.name}"`, sent: true, attempts: 1 };
  throw new DeviceError('PROTOCOL', fault, { ...details, response: answer?.body });
}

function confirmVersion(delivery: DeliveryContext, announced: string, found: string | undefined): void {
  const { operationName, device, answer } = delivery;
  if (found === undefined) {
    delivery.note(localized('versionUnknown'));
    return;
  }
  if (compareFirmware(found, announced) !== 0) {
    const details = { operationName, place: `"${device.name}"`, sent: true, attempts: 1 };
    const reason = localized('notUpgraded', { found, announced });
    throw new DeviceError('PROTOCOL', reason, { ...details, response: answer?.body });
  }
  delivery.outcome = 'confirmed';
}

/**
 * Returns the about record of the device, undefined in the record if the device has rejected the request; false
 * without an answer. Undefined if a deploy closed the device during the request.
 */
async function answers(
  { abort, operation: asked }: DeliveryContext,
  device: Device,
  pollMs: number,
): Promise<{ readonly about: unknown } | false | undefined> {
  const look = operation('info/about');
  const options = { timeoutMs: Math.max(pollMs, 1_000) };
  // A separate abort: closing the device must end this request, but not the delivery.
  const end = new Abort();
  abort.setListener((reason) => end.abort(reason));
  try {
    // A poll, since the queue limit does not count polls and a full queue proves nothing about the device.
    const entry = device.take(look, end, { isReading: true });
    const { body } = await device.during(entry, undefined, 'info/about', (turn) =>
      turn.call(look, {}, options),
    );
    return { about: body };
  } catch (error) {
    if (abort.reason) throw error;
    if (device.isClosed) return undefined;
    if (!(error instanceof DeviceError)) return false;
    const isThere =
      asked.id === 'restore'
        ? error.statusCode !== undefined
        : signsOfLife.includes(error.code) && error.statusCode !== unavailable;
    return isThere && { about: undefined };
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

/** Returns the details of an error, for another error about the same call. */
export function detailsOf(error: DeviceError) {
  const { attempts, operationName, place, response, sent, statusCode, wireMs, cause } = error;
  return {
    place,
    sent,
    attempts,
    wireMs,
    cause,
    ...(operationName !== undefined && { operationName }),
    ...(response !== undefined && { response }),
    ...(statusCode !== undefined && { statusCode }),
  };
}
