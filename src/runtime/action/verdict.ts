import { DeviceError, wordsOf } from '../../client/errors';
import type { Failure } from '../../client/failure';
import type { Delivery } from './delivery';

/** What of a delivery says how it ended. */
type Ended = Pick<Delivery, 'abort' | 'answer' | 'deed' | 'device'>;

/** A fault of our own must not look like the device's, and must not vanish either. */
export function asDeviceError(delivery: Ended, error: unknown): DeviceError {
  const { abort, answer, deed } = delivery;
  const { reason } = abort;
  if (reason && answer) return cutShort(delivery, reason);
  if (error instanceof DeviceError) return error;
  if (reason) {
    const code = reason.code === 'QUEUE_FULL' ? 'QUEUE_FULL' : 'ABORTED';
    return new DeviceError(code, `${deed}: ${reason.message}; nothing was sent`, { deed, cause: error });
  }
  return new DeviceError('PROTOCOL', `${deed}: a fault in this package: ${wordsOf(error)}`, {
    deed,
    cause: error,
    outcome: abort.wasOnWire ? 'unknown' : 'failed',
  });
}

/** The device said yes, and then this was closed before it was seen whether that holds. */
function cutShort({ deed, device }: Ended, reason: Failure): DeviceError {
  const sentence = `${deed} at "${device.name}" was accepted, but not followed to its end: ${reason.message}`;
  return new DeviceError('ABORTED', sentence, { deed, outcome: 'unknown', cause: reason });
}
