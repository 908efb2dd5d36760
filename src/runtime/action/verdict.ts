import { said } from '../../catalogue/saying';
import { DeviceError, type ErrorCode, type FailedOutcome, wordsOf } from '../../client/errors';
import type { Failure } from '../../client/failure';
import type { DeliveryContext } from './hooks';

/** What of a delivery says how it ended. */
type Ended = Pick<DeliveryContext, 'abort' | 'answer' | 'deed' | 'device'>;

/** How what was ended before its turn at the device counts, by why it was. */
const unsent: Readonly<Record<string, readonly [code: ErrorCode, outcome: FailedOutcome]>> = {
  EXPIRED: ['EXPIRED', 'expired'],
  QUEUE_FULL: ['QUEUE_FULL', 'failed'],
  SUPERSEDED: ['SUPERSEDED', 'superseded'],
};

/** A fault of our own must not look like the device's, and must not vanish either. */
export function asDeviceError(delivery: Ended, error: unknown): DeviceError {
  const { abort, answer, deed } = delivery;
  const { reason } = abort;
  if (reason && answer) return cutShort(delivery, reason);
  if (error instanceof DeviceError) return error;
  if (reason) {
    const [code, outcome] = unsent[reason.code] ?? (['ABORTED', 'failed'] as const);
    const sentence = said('nothingSent', { reason: said('ofDeed', { deed, reason: reason.said }) });
    return new DeviceError(code, sentence, { deed, outcome, cause: error });
  }
  return new DeviceError(
    'PROTOCOL',
    said('ofDeed', { deed, reason: said('fault', { words: wordsOf(error) }) }),
    {
      deed,
      cause: error,
      outcome: abort.wasOnWire ? 'unknown' : 'failed',
    },
  );
}

/** The device said yes, and then this was closed before it was seen whether that holds. */
function cutShort({ deed, device }: Ended, reason: Failure): DeviceError {
  const sentence = said('notFollowed', { deed, device: device.name, reason: reason.said });
  return new DeviceError('ABORTED', sentence, { deed, outcome: 'unknown', cause: reason });
}
