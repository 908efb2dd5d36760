import { localized, type Text } from '../../catalogue/localized-message';
import { addDetails } from '../../catalogue/sentence';
import { DeviceError, reasonOf } from '../../client/errors';
import { sleep } from '../../kernel/time/sleep';
import { detailsOf } from '../message/confirmation';
import type { SchedulerSession } from './scheduler-session';

/**
 * Times after a lost response at which the schedule is read, in milliseconds. The schedule is read several
 * times, since the device might still be working on the change.
 */
const looks = [0, 500, 1_500];

type IsDone = () => Promise<boolean | undefined>;

const nothingToSee = localized('cannotTell');

/**
 * Sends a change of the schedule. Reads the schedule back after a lost response, and if the user wants to
 * confirm writes.
 * @param isDone reads the schedule and resolves to whether it contains the change; undefined if the schedule
 * can no longer show this
 * @returns the device's response, or the sent body if the response was lost
 * @throws DeviceError if the change failed, or if its result is unknown
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
      throw unknown(lost, localized('scheduleUnclear', { words: reasonOf(error) }));
    }
    if (isSeen === undefined) throw unknown(lost, localized('scheduleSilent'));
    if (!isSeen) continue;
    delivery.outcome = 'confirmed';
    delivery.note(localized('scheduleAsWanted'));
    return;
  }
  throw new DeviceError(lost.code, addDetails(lost.fault, localized('scheduleAsBefore')), {
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
    delivery.note(localized('notReadBack', { reason: reasonOf(error) }));
    return;
  }
  if (isSeen) delivery.outcome = 'confirmed';
  if (isSeen === undefined) delivery.note(localized('notReadBack', { reason: nothingToSee }));
  if (isSeen !== false) return;
  const place = `"${device.name}"`;
  const details = { operationName, place, sent: true, attempts: 1 };
  throw new DeviceError('PROTOCOL', localized('scheduleOtherwise'), details);
}

function unknown(error: DeviceError, detail: Text): DeviceError {
  return new DeviceError(error.code, addDetails(error.fault, detail), {
    ...detailsOf(error),
    outcome: 'unknown',
  });
}
