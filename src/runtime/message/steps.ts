import { createHash } from 'node:crypto';
import { isPlainObject } from '../../catalogue/coerce';
import { localized, type Text } from '../../catalogue/localized-message';
import { type OperationName, operation } from '../../catalogue/named';
import type { Confirmation, Parameters } from '../../catalogue/operation';
import type { Turn } from '../../client/client';
import { DeviceError, LocalizedError, messageOf } from '../../client/errors';
import { Abort } from '../../client/queue/entry';
import { sleep } from '../../time/sleep';
import type { Device } from '../device/device';
import { foundAgain } from '../device/registry';
import type { DeliveryContext } from './hooks';

/**
 * Runs a delivery in its turn: sends the operation and follows the node's options, which skip unchanged files, reload,
 * and confirm the write.
 * @throws DeviceError
 */
export async function carryOut(delivery: DeliveryContext, turn: Turn): Promise<void> {
  const { device, operation: asked } = delivery;
  if (delivery.has('skipUnchanged') && (await isAlreadyThere(delivery, turn))) return;
  delivery.answer = await send(delivery, turn);
  if (asked.options?.includes('waitUntilBack')) device.noteChange();
  if (delivery.has('reloadAfter')) await reload(delivery, turn);
  if (delivery.has('confirmWrite') && asked.confirm && asked.confirm.compare !== 'schedule') {
    const result = await readBack(delivery, turn, asked.confirm);
    if (result.confirmed) delivery.outcome = 'confirmed';
    else delivery.note(result.note);
  }
}

function send(delivery: DeliveryContext, turn: Turn): ReturnType<Turn['call']> {
  const { operationName, hooks, operation: asked, parameters, retryForMs } = delivery;
  const onProgress = transferProgress((words) => delivery.progress(words));
  const options = { operationName, onProgress, ...(retryForMs > 0 && { retryForMs }) };
  const own = hooks.send?.(delivery, turn, options);
  return own ?? turn.call(asked, parameters, options, (of, given) => delivery.request(of, given));
}

/**
 * Whether the device already has the new content, by its MD5, so that nothing needs to be sent. If so, sets
 * the result of the delivery.
 */
async function isAlreadyThere(delivery: DeliveryContext, turn: Turn): Promise<boolean> {
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
    // The file is missing or the device does not report its MD5. The upload then reports the error, if there is one.
    if (abort.reason) throw error;
    return false;
  }
}

async function reload({ operationName }: DeliveryContext, turn: Turn): Promise<void> {
  try {
    await turn.call(operation('system/reload'), {});
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    const { code, attempts, statusCode } = error;
    throw new DeviceError(code, localized('notReloaded', { operation: operationName, reason: error.said }), {
      operationName,
      sent: true,
      // The write was done, but is not in effect yet.
      outcome: 'unknown',
      attempts: attempts + 1,
      ...(statusCode !== undefined && { statusCode }),
      cause: error,
    });
  }
}

/**
 * Time limit and pause of the reads after a reload. The device shows the new value only after a while
 * (docs/field-notes.md, section 5).
 */
const reloadLimitMs = 10_000;
const reloadPollMs = 500;

/** The result of a read-back: confirmed, or a note that says why the device could not be read. */
type ReadBack = { readonly confirmed: true } | { readonly confirmed: false; readonly note: Text };

/**
 * Reads back the written value in the way that the catalogue entry names. If the device cannot be read, the write stays
 * accepted. If the device reports another value, the write has failed.
 * @throws DeviceError PROTOCOL if the device reports another value
 */
async function readBack(
  delivery: DeliveryContext,
  turn: Turn,
  confirmation: Confirmation,
): Promise<ReadBack> {
  const limit = performance.now() + (delivery.has('reloadAfter') ? reloadLimitMs : 0);
  try {
    for (;;) {
      const different = await firstDifference(delivery, turn, confirmation);
      if (different === undefined) return { confirmed: true };
      if (performance.now() >= limit) throw new Differs(different);
      await sleep(reloadPollMs, delivery.abort);
    }
  } catch (error) {
    if (error instanceof Differs) throw differs(delivery, error.what);
    if (delivery.abort.reason) throw error;
    return { confirmed: false, note: localized('notReadBack', { reason: messageOf(error) }) };
  }
}

const contentMd5s = new WeakMap<Parameters, string>();

/**
 * Returns the MD5 of the parameter `content` as the device writes it. Hundreds of devices can share a large
 * file, so the MD5 is cached.
 */
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
 * Returns the error of a write that reads back differently. The error names only the parameter, because the
 * value of a setting might be a secret.
 */
function differs({ operationName, device }: DeliveryContext, what: string): DeviceError {
  const reason = localized('readsOtherwise', { what });
  const sentence = localized('atDevice', { operation: operationName, device: device.name, reason });
  return new DeviceError('PROTOCOL', sentence, { operationName, sent: true, attempts: 1 });
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
  // A device that does not measure a level can report words. Words are not a different level.
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
 * @throws Error if the response lacks the value, because an empty response does not prove a different value
 */
async function read(turn: Turn, by: string, parameters: Parameters, name: string): Promise<string> {
  // A test checks that these names of the catalogue's entries exist.
  const { body } = await turn.call(operation(by as OperationName), parameters);
  const seen = isPlainObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  if (seen === undefined || seen === null) throw new LocalizedError(localized('notNamed', { name }));
  return String(seen);
}

/** The times of a wait for a device that restarts, in milliseconds. */
interface Patience {
  /** The time between two polls. */
  readonly pollMs: number;
  /** After this time, a device that was never seen offline counts as restarted: before the first poll. */
  readonly graceMs: number;
  /** The time after which the wait ends: a firmware upgrade takes up to 240 s (docs/field-notes.md, section 3). */
  readonly limitMs: number;
}

const defaultPatience: Patience = { pollMs: 2_000, graceMs: 20_000, limitMs: 360_000 };

/** Error codes that prove that a device is up, although the device rejected the request. */
const signsOfLife = ['AUTHENTICATION', 'REFUSED'];
const unavailable = 503;

/**
 * Waits until a device that restarts answers again. The device must go offline and come back, or stay online for the
 * grace time. After a restore the interface is off, so any HTTP response counts as back.
 * If a deploy replaces the device, its successor is polled.
 * @returns a note for the receipt
 * @throws DeviceError TIMEOUT if the device does not come back within the limit, ABORTED if a deploy removes it
 */
export async function waitUntilBack(
  delivery: DeliveryContext,
  patience: Patience = defaultPatience,
): Promise<Text> {
  const started = performance.now();
  let { device } = delivery;
  let wentAway = false;
  for (;;) {
    await sleep(patience.pollMs, delivery.abort);
    const waitedMs = performance.now() - started;
    if (device.isClosed) device = foundAgain(device) ?? takenOut(delivery);
    const isThere = await answers(delivery, device, patience.pollMs);
    if (isThere && (wentAway || waitedMs >= patience.graceMs))
      return localized('backAfter', { seconds: seconds(waitedMs) });
    wentAway ||= isThere === false;
    if (waitedMs >= patience.limitMs) throw neverBack(delivery, waitedMs);
    delivery.progress(`${seconds(waitedMs)} s`);
  }
}

/**
 * Whether the device answers a request that every device supports. The result is undefined if a deploy closed
 * the device during the request, which proves nothing.
 */
async function answers(
  { abort, operation: asked }: DeliveryContext,
  device: Device,
  pollMs: number,
): Promise<boolean | undefined> {
  const look = operation('info/about');
  const options = { timeoutMs: Math.max(pollMs, 1_000) };
  // The request has its own abort, since a closed device must end this request and not the delivery.
  const end = new Abort();
  abort.setListener((reason) => end.abort(reason));
  try {
    // The request is a poll, which the queue limit does not count: a full queue proves nothing about the
    // device.
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
  const reason = localized('closedByDeploy', { device: device.name });
  const sentence = localized('notFollowed', { operation: operationName, device: device.name, reason });
  throw new DeviceError('ABORTED', sentence, { operationName, sent: true, outcome: 'unknown', attempts: 1 });
}

function neverBack({ operationName, device }: DeliveryContext, waitedMs: number): DeviceError {
  const reason = localized('neverBack', { seconds: seconds(waitedMs) });
  const sentence = localized('atDevice', { operation: operationName, device: device.name, reason });
  return new DeviceError('TIMEOUT', sentence, { operationName, sent: true, outcome: 'unknown', attempts: 1 });
}

function seconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 1000));
}

/** Minimum size of a transfer that shows its progress, in bytes. */
const worthShowing = 256 * 1024;

/**
 * Returns a function that turns the bytes of a transfer into a text such as `40 %`, once for each tenth.
 * @param say shows the text
 * @returns a function that takes the bytes so far and, if known, the total number of bytes
 */
function transferProgress(say: (text: string) => void): (bytes: number, all?: number) => void {
  let shown = 0;
  return (bytes, all) => {
    if (all === undefined || all < worthShowing) return;
    const tenths = Math.floor((bytes / all) * 10);
    if (tenths <= shown || tenths >= 10) return;
    shown = tenths;
    say(`${tenths * 10} %`);
  };
}
