import { joinMessages, type Text } from '../../catalogue/localized-message';
import { nothingSent } from '../../catalogue/sentence';
import { DeviceError, type ErrorCode } from '../../client/errors';

type ErrorOf = (reason: Text, ...details: readonly Text[]) => DeviceError;

/** Returns the error of a property or a message that is not valid. */
export const invalid: ErrorOf = (...words) => new DeviceError('INVALID_PARAMETER', joinMessages(words));

/**
 * Returns a function that creates such errors for a node that sends, with the detail that nothing was sent.
 * @param place resource of the node, such as `alert`
 */
export function notSent(place: string, code: ErrorCode = 'INVALID_PARAMETER'): ErrorOf {
  return (...words) => new DeviceError(code, nothingSent(joinMessages(words)), { place });
}
