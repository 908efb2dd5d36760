import { DeviceError, wordsOf } from '../../client/errors';
import { pause } from '../../client/pause';
import type { Visit } from './visit';

/**
 * When to look what became of a request whose answer was lost, in milliseconds after it was: the device may still
 * be at work.
 */
const looks = [0, 500, 1_500];

/**
 * Sends what changes the schedule, and finds out what became of it: by reading back where a person wants that, and
 * always when the answer was lost. All of a request is done or nothing, so what is not there was not done.
 * @param isDone reads whether the schedule is as it was to be
 * @returns the device's echo; what was sent where the echo was lost
 * @throws DeviceError
 */
export async function commit(
  visit: Visit,
  body: Readonly<Record<string, unknown>>,
  isDone: () => Promise<boolean>,
): Promise<unknown> {
  let echo: unknown;
  try {
    echo = (await visit.apply(body)).body;
  } catch (error) {
    if (!(error instanceof DeviceError) || error.outcome !== 'unknown') throw error;
    await findOut(visit, error, isDone);
    return body;
  }
  if (visit.delivery.has('confirmWrite')) await confirm(visit, isDone);
  return echo ?? {};
}

async function findOut(
  { delivery }: Visit,
  lost: DeviceError,
  isDone: () => Promise<boolean>,
): Promise<void> {
  for (const [index, at] of looks.entries()) {
    if (delivery.abort.reason) throw lost;
    await pause(at - (looks[index - 1] ?? 0), delivery.abort);
    try {
      if (!(await isDone())) continue;
    } catch (error) {
      if (index + 1 < looks.length && !delivery.abort.reason) continue;
      throw unknown(lost, `the schedule cannot be read either: ${wordsOf(error)}`);
    }
    delivery.outcome = 'confirmed';
    delivery.note('the answer was lost; the schedule was read, and it is as it was to be');
    return;
  }
  throw new DeviceError(lost.code, `${lost.message}; the schedule was read, and it is as it was before`, {
    ...detailsOf(lost),
    outcome: 'failed',
  });
}

async function confirm({ delivery }: Visit, isDone: () => Promise<boolean>): Promise<void> {
  const { abort, deed, device } = delivery;
  let isSeen: boolean;
  try {
    isSeen = await isDone();
  } catch (error) {
    if (abort.reason) throw error;
    delivery.note(`not read back: ${wordsOf(error)}`);
    return;
  }
  if (isSeen) {
    delivery.outcome = 'confirmed';
    return;
  }
  const sentence = `${deed} at "${device.name}": the device said yes, but the schedule does not read back as written`;
  throw new DeviceError('PROTOCOL', sentence, { deed, sent: true, attempts: 1 });
}

function unknown(lost: DeviceError, why: string): DeviceError {
  return new DeviceError(lost.code, `${lost.message}; ${why}`, { ...detailsOf(lost), outcome: 'unknown' });
}

function detailsOf({ attempts, deed, response, sent, statusCode, cause }: DeviceError) {
  return {
    sent,
    attempts,
    cause,
    ...(deed !== undefined && { deed }),
    ...(response !== undefined && { response }),
    ...(statusCode !== undefined && { statusCode }),
  };
}
