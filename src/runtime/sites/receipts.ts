import { largestMessage, type WireReceipt } from '../../sites/wire';

/** From the worst on: what a person has to look after first. */
const worst = ['failed', 'unknown', 'expired', 'superseded', 'skipped', 'rehearsed', 'accepted', 'confirmed'];

/** Something is left for what is around the receipts, in bytes. */
const around = 16 * 1024;

/** The receipts as they fit into one message: without the devices' answers where these are too long. */
export function fitting(receipts: readonly WireReceipt[]): readonly WireReceipt[] {
  if (Buffer.byteLength(JSON.stringify(receipts)) <= largestMessage - around) return receipts;
  return receipts.map(({ response: _response, ...receipt }) => ({
    ...(receipt as WireReceipt),
    note: 'the answer is too long for the broker',
  }));
}

/** The worst outcome; of nothing that went wrong, `accepted`. */
export function worstOf(receipts: readonly WireReceipt[]): string {
  const places = receipts.map(({ outcome }) => worst.indexOf(outcome));
  return worst[Math.min(...places.map((place) => Math.max(place, 0)))] ?? 'accepted';
}
