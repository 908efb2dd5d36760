import { operation } from '../../catalogue/named';
import { said, type Text } from '../../catalogue/saying';
import { DeviceError } from '../../client/errors';
import { Abort } from '../../client/queue/entry';
import { sleep } from '../../time/sleep';
import type { Device } from '../device/device';
import { foundAgain } from '../device/registry';
import type { DeliveryContext } from './hooks';

/** How patiently to wait for a device that restarts, in milliseconds. */
export interface Patience {
  /** Between two looks. */
  readonly pollMs: number;
  /** A device that never went away within this time was back before the first look. */
  readonly graceMs: number;
  /** No device is waited for longer: a firmware upgrade takes up to 240 s (docs/field-notes.md, section 3). */
  readonly limitMs: number;
}

const usualPatience: Patience = { pollMs: 2_000, graceMs: 20_000, limitMs: 360_000 };

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
  patience: Patience = usualPatience,
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
      return said('backAfter', { seconds: seconds(waitedMs) });
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

function takenOut({ deed, device }: DeliveryContext): never {
  const reason = said('closedByDeploy', { device: device.name });
  const sentence = said('notFollowed', { deed, device: device.name, reason });
  throw new DeviceError('ABORTED', sentence, { deed, sent: true, outcome: 'unknown', attempts: 1 });
}

function neverBack({ deed, device }: DeliveryContext, waitedMs: number): DeviceError {
  const reason = said('neverBack', { seconds: seconds(waitedMs) });
  const sentence = said('atDevice', { deed, device: device.name, reason });
  return new DeviceError('TIMEOUT', sentence, { deed, sent: true, outcome: 'unknown', attempts: 1 });
}

function seconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 1000));
}
