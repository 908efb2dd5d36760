import { info } from '../catalogue/info';
import { DeviceError } from '../client/errors';
import { waitUntilBack } from './back';
import { md5Of, operationNamed, readBack } from './read-back';
import type { Done, Work } from './work';

const [about] = info.operations;

/**
 * Sends one operation and does what the node's options ask for around it: skip what is already there, reload,
 * read back, wait until the device is back.
 * @param send the request itself
 * @throws DeviceError
 */
export async function carryOut(work: Work, send: () => Promise<Done['answer']>): Promise<Done> {
  const { operation, options } = work;
  if (options.has('skipSame')) {
    const same = await alreadyThere(work);
    if (same) return same;
  }
  const answer = await send();
  if (operation.options?.includes('waitUntilBack')) work.device.noteChange();
  if (options.has('reloadAfter')) await reload(work);
  if (options.has('waitUntilBack')) {
    return { answer, outcome: 'accepted', note: await waitUntilBack(work, about) };
  }
  if (!options.has('confirmWrite') || !operation.confirm) return { answer, outcome: 'accepted' };
  const result = await readBack(work, operation.confirm);
  return result.confirmed
    ? { answer, outcome: 'confirmed' }
    : { answer, outcome: 'accepted', note: result.note };
}

/** The device's own MD5 of the file is the new content's: nothing needs to be sent. */
async function alreadyThere({ device, parameters, signal }: Work): Promise<Done | undefined> {
  try {
    const operation = operationNamed('files/md5sum');
    const answer = await device.call(operation, { path: parameters.path }, { signal, deed: 'files/md5sum' });
    const { md5sum } = (answer.body ?? {}) as { md5sum?: unknown };
    if (String(md5sum).toLowerCase() !== md5Of(parameters.content)) return undefined;
    return {
      answer: { ...answer, body: undefined },
      outcome: 'confirmed',
      note: 'the same file was already there',
    };
  } catch (error) {
    // Not there, or not to be told: the upload will say what is wrong, if anything is.
    if (signal.aborted) throw error;
    return undefined;
  }
}

async function reload({ device, deed, signal }: Work): Promise<void> {
  try {
    await device.call(operationNamed('system/reload'), {}, { signal, deed: 'system/reload' });
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    const { code, outcome, attempts, statusCode } = error;
    throw new DeviceError(code, `${deed} was accepted, but not the reload after it: ${error.message}`, {
      sent: true,
      outcome,
      attempts: attempts + 1,
      ...(statusCode !== undefined && { statusCode }),
      cause: error,
    });
  }
}
