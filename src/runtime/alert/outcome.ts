import { brieflyOf, DeviceError } from '../../client/errors';
import { errorOf, type Receipt, succeeded } from '../action/receipt';

/** It was done, or will be when another alert is cleared. */
export function isFine(receipt: Receipt): boolean {
  return succeeded(receipt) || isHeld(receipt);
}

function isHeld({ outcome, error }: Receipt): boolean {
  return outcome === 'skipped' && error === undefined;
}

/** The one error that an alert's receipts amount to: what gives way to another alert is none. */
export function errorIn(receipts: readonly Receipt[]): DeviceError | undefined {
  const others = receipts.filter((receipt) => !isHeld(receipt));
  const isSkippingFine = others.length < receipts.length;
  return errorOf(isSkippingFine ? others.filter(({ outcome }) => outcome !== 'skipped') : others);
}

/** What is wrong with a message; a fault of our own must not look like that. */
export function asError(fault: unknown): DeviceError {
  if (fault instanceof DeviceError) return fault;
  return new DeviceError('PROTOCOL', `alert: a fault in this package: ${brieflyOf(fault)}`, { cause: fault });
}
