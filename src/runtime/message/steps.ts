import { createHash } from 'node:crypto';
import { isPlainObject } from '../../catalogue/coerce';
import { localized, type Text } from '../../catalogue/localized-message';
import { type OperationName, operation } from '../../catalogue/named';
import type { Confirmation, Parameters } from '../../catalogue/operation';
import type { Turn } from '../../client/client';
import { DeviceError, LocalizedError, saidOf } from '../../client/errors';
import { Abort } from '../../client/queue/entry';
import { sleep } from '../../time/sleep';
import type { Device } from '../device/device';
import { foundAgain } from '../device/registry';
import type { DeliveryContext } from './hooks';

/**
 * What one delivery does in its turn: sends the operation, and around it what the node's options ask for: skip
 * what is already there, reload, read back.
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

/** The device's own MD5 of the file is the new content's: nothing needs to be sent. */
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
    // Not there, or not to be told: the upload will say what is wrong, if anything is.
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
      // The write was done, and is not in effect yet.
      outcome: 'unknown',
      attempts: attempts + 1,
      ...(statusCode !== undefined && { statusCode }),
      cause: error,
    });
  }
}

/** A reload takes a while to show in what is read back (docs/field-notes.md, section 5). */
const reloadLimitMs = 10_000;
const reloadPollMs = 500;

/** How a read-back ended: it holds, or a sentence says why that is not known. */
type ReadBack = { readonly confirmed: true } | { readonly confirmed: false; readonly note: Text };

/**
 * Reads back what an operation wrote, as its catalogue entry says how. A device that could not be read leaves
 * the write accepted; one that holds something else did not do what it said yes to.
 * @throws DeviceError PROTOCOL when something else is read
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
    return { confirmed: false, note: localized('notReadBack', { reason: saidOf(error) }) };
  }
}

const contentMd5s = new WeakMap<Parameters, string>();

/**
 * The MD5 of the parameter `content`, as the device writes it. A file may be large and meant for hundreds of
 * devices, so it is worked out once for all that share the parameters.
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

/** Names the parameter only: a setting's value may be a secret. */
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
  // A device that does not measure may say so in words, which is no other level.
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
 * What an answer says of one thing.
 * @throws Error when it says nothing of it: an empty answer must not be taken for another value
 */
async function read(turn: Turn, by: string, parameters: Parameters, name: string): Promise<string> {
  // A test holds the names in the catalogue's entries to what there is.
  const { body } = await turn.call(operation(by as OperationName), parameters);
  const seen = isPlainObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  if (seen === undefined || seen === null) throw new LocalizedError(localized('notNamed', { name }));
  return String(seen);
}

/** How patiently to wait for a device that restarts, in milliseconds. */
interface Patience {
  /** Between two looks. */
  readonly pollMs: number;
  /** A device that never went away within this time was back before the first look. */
  readonly graceMs: number;
  /** No device is waited for longer: a firmware upgrade takes up to 240 s (docs/field-notes.md, section 3). */
  readonly limitMs: number;
}

const defaultPatience: Patience = { pollMs: 2_000, graceMs: 20_000, limitMs: 360_000 };

/** Error codes with which a device shows that it is up, whatever it thinks of us. */
const signsOfLife = ['AUTHENTICATION', 'REFUSED'];
const unavailable = 503;

/**
 * Waits until a device that was told to restart answers again: it must go away and come back, or stay for the
 * grace time. After a restore the interface is off, so any HTTP answer counts as back.
 * A deploy may put another one in the place of the device: then that one is asked.
 * @returns a note for the receipt
 * @throws DeviceError TIMEOUT when it does not come back within the limit, ABORTED when a deploy takes it out
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

/** Whether it does what any device can do; undefined where a deploy has closed it meanwhile, which says nothing of it. */
async function answers(
  { abort, operation: asked }: DeliveryContext,
  device: Device,
  pollMs: number,
): Promise<boolean | undefined> {
  const look = operation('info/about');
  const options = { timeoutMs: Math.max(pollMs, 1_000) };
  // Its own end, since a closed device ends the look alone.
  const end = new Abort();
  abort.tell((reason) => end.abort(reason));
  try {
    // A full queue says nothing of the device.
    const place = device.take(look, end, { isReading: true });
    await device.during(place, undefined, 'info/about', (turn) => turn.call(look, {}, options));
    return true;
  } catch (error) {
    if (abort.reason) throw error;
    if (device.isClosed) return undefined;
    if (!(error instanceof DeviceError)) return false;
    if (asked.id === 'restore') return error.statusCode !== undefined;
    return signsOfLife.includes(error.code) && error.statusCode !== unavailable;
  } finally {
    abort.tell(undefined);
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

/** Transfers shorter than this are not worth a status of their own, in bytes. */
const worthShowing = 256 * 1024;

/**
 * Turns the bytes of a transfer into words such as `40 %`, once for each tenth.
 * @param say shows the words
 * @returns what to call with the bytes so far and all bytes, which may not be known
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
