import { operation } from '../../catalogue/named';
import { said } from '../../catalogue/saying';
import { DeviceError } from '../../client/errors';
import type { Turn } from '../../client/turn';
import type { DeliveryContext } from './hooks';
import { transferProgress } from './progress';
import { contentMd5, readBack } from './read-back';

/**
 * What one delivery does in its turn: sends the operation, and around it what the node's options ask for: skip
 * what is already there, reload, read back.
 * @throws DeviceError
 */
export async function carryOut(delivery: DeliveryContext, turn: Turn): Promise<void> {
  const { device, operation: asked } = delivery;
  if (delivery.has('skipSame') && (await isAlreadyThere(delivery, turn))) return;
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
  const { deed, hooks, operation: asked, parameters, retryForMs } = delivery;
  const onProgress = transferProgress((words) => delivery.progress(words));
  const options = { deed, onProgress, ...(retryForMs > 0 && { retryForMs }) };
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
    delivery.note(said('sameFile'));
    return true;
  } catch (error) {
    // Not there, or not to be told: the upload will say what is wrong, if anything is.
    if (abort.reason) throw error;
    return false;
  }
}

async function reload({ deed }: DeliveryContext, turn: Turn): Promise<void> {
  try {
    await turn.call(operation('system/reload'), {});
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    const { code, attempts, statusCode } = error;
    throw new DeviceError(code, said('notReloaded', { deed, reason: error.said }), {
      deed,
      sent: true,
      // The write was done, and is not in effect yet.
      outcome: 'unknown',
      attempts: attempts + 1,
      ...(statusCode !== undefined && { statusCode }),
      cause: error,
    });
  }
}
