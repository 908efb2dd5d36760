import { brieflyOf, DeviceError } from '../../client/errors';
import { errorOf, type Receipt, succeeded } from '../action/receipt';

/** It was done, or will be when another alert is cleared. */
export function isFine(receipt: Receipt): boolean {
  return succeeded(receipt) || isHeld(receipt);
}

function isHeld({ outcome, error }: Receipt): boolean {
  return outcome === 'skipped' && error === undefined;
}

/** Whether it was surely not done, and should have been. */
export function isFailure({ outcome }: Pick<Receipt, 'outcome'>): boolean {
  return outcome === 'failed' || outcome === 'expired';
}

/**
 * The one error that an alert's receipts amount to, with how many devices failed: what gives way to another alert is
 * none.
 */
export function errorIn(receipts: readonly Receipt[]): DeviceError | undefined {
  const others = receipts.filter((receipt) => !isHeld(receipt));
  const isSkippingFine = others.length < receipts.length;
  const wrong = isSkippingFine ? others.filter(({ outcome }) => outcome !== 'skipped') : others;
  const error = errorOf(wrong);
  const all = devicesIn(receipts);
  if (!error || all <= 1) return error;
  const failed = devicesIn(wrong.filter((receipt) => isFailure(receipt) || receipt.outcome === 'superseded'));
  const unknown = devicesIn(wrong.filter(({ outcome }) => outcome === 'unknown'));
  const skipped = devicesIn(wrong.filter(({ outcome }) => outcome === 'skipped'));
  const counts = [
    ...(failed > 0 ? [`${failed} of ${all} devices failed`] : []),
    ...(unknown > 0 ? [failed > 0 ? `${unknown} unknown` : `${unknown} of ${all} devices unknown`] : []),
  ];
  if (counts.length === 0) counts.push(`${skipped} of ${all} devices skipped`);
  const first = firstError(wrong);
  return new DeviceError(error.code, `${first ?? error.message} (${counts.join(', ')}: see msg.receipts)`);
}

/** What a message says of the first thing that went wrong. */
function firstError(receipts: readonly Receipt[]): string | undefined {
  const wrong = receipts.filter(({ error }) => error);
  return (wrong.find(({ outcome }) => outcome !== 'skipped') ?? wrong[0])?.error?.message;
}

function devicesIn(receipts: readonly Receipt[]): number {
  return new Set(receipts.map(({ device, address }) => JSON.stringify([device, address]))).size;
}

/** What is wrong with a message; a fault of our own must not look like that. */
export function asError(fault: unknown): DeviceError {
  if (fault instanceof DeviceError) return fault;
  return new DeviceError('PROTOCOL', `alert: a fault in this package: ${brieflyOf(fault)}`, { cause: fault });
}
