import { localized, type Text } from '../../catalogue/localized-message';
import { DeviceError, saidOf } from '../../client/errors';
import { sleep } from '../../time/sleep';
import type { SchedulerSession } from './scheduler-session';

/**
 * When to look what became of a request whose answer was lost, in milliseconds after it was: the device may still
 * be at work.
 */
const looks = [0, 500, 1_500];

type IsDone = () => Promise<boolean | undefined>;

/** What has happened since is in no schedule. */
const nothingToSee = localized('cannotTell');

/**
 * Sends what changes the schedule, and finds out what became of it: by reading back where a person wants that, and
 * always when the answer was lost. All of a request is done or nothing, so what is not there was not done.
 * @param isDone plans again: a schedule that needs no change is as it was to be, whatever words the device stored;
 * undefined where it cannot tell any more
 * @returns the device's echo; what was sent where the echo was lost
 * @throws DeviceError
 */
export async function commit(
  visit: SchedulerSession,
  body: Readonly<Record<string, unknown>>,
  isDone: IsDone,
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

async function findOut({ delivery }: SchedulerSession, lost: DeviceError, isDone: IsDone): Promise<void> {
  for (const [index, at] of looks.entries()) {
    if (delivery.abort.reason) throw lost;
    await sleep(at - (looks[index - 1] ?? 0), delivery.abort);
    let isSeen: boolean | undefined;
    try {
      isSeen = await isDone();
    } catch (error) {
      if (index + 1 < looks.length && !delivery.abort.reason) continue;
      throw unknown(lost, localized('scheduleUnclear', { reason: lost.said, words: saidOf(error) }));
    }
    if (isSeen === undefined) throw unknown(lost, localized('scheduleSilent', { reason: lost.said }));
    if (!isSeen) continue;
    delivery.outcome = 'confirmed';
    delivery.note(localized('scheduleAsWanted'));
    return;
  }
  throw new DeviceError(lost.code, localized('scheduleAsBefore', { reason: lost.said }), {
    ...detailsOf(lost),
    outcome: 'failed',
  });
}

async function confirm({ delivery }: SchedulerSession, isDone: IsDone): Promise<void> {
  const { abort, operationName, device } = delivery;
  let isSeen: boolean | undefined;
  try {
    isSeen = await isDone();
  } catch (error) {
    if (abort.reason) throw error;
    delivery.note(localized('notReadBack', { reason: saidOf(error) }));
    return;
  }
  if (isSeen) delivery.outcome = 'confirmed';
  if (isSeen === undefined) delivery.note(localized('notReadBack', { reason: nothingToSee }));
  if (isSeen !== false) return;
  const sentence = localized('atDevice', {
    operation: operationName,
    device: device.name,
    reason: localized('scheduleOtherwise'),
  });
  throw new DeviceError('PROTOCOL', sentence, { operationName, sent: true, attempts: 1 });
}

function unknown(lost: DeviceError, sentence: Text): DeviceError {
  return new DeviceError(lost.code, sentence, { ...detailsOf(lost), outcome: 'unknown' });
}

/** What is known of an error beside its code, its sentence and its outcome. */
export function detailsOf(error: DeviceError) {
  const { attempts, operationName, response, sent, statusCode, wireMs, cause } = error;
  return {
    sent,
    attempts,
    wireMs,
    cause,
    ...(operationName !== undefined && { operationName }),
    ...(response !== undefined && { response }),
    ...(statusCode !== undefined && { statusCode }),
  };
}
