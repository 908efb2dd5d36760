import { maxInstances } from './peer-registry';
import { maxMessageBytes, type ResultMessage, type WireReceipt } from './wire';

/** Maximum length of the receipts of all instances together, in characters. */
const maxLength = 4 * maxMessageBytes;

/**
 * Merges the results of several instances for one clear. The merged result contains each receipt once, up to
 * `maxLength`. Returns `latest` unchanged if `known` is undefined or one of the results lacks `doneBy`.
 * @param known the earlier result
 * @param latest the result whose time and instance are kept
 */
export function mergeResults(known: ResultMessage | undefined, latest: ResultMessage): ResultMessage {
  if (!known?.doneBy || !latest.doneBy) return latest;
  const receipts = new Map<string, WireReceipt>();
  let length = 0;
  for (const receipt of [...known.receipts, ...latest.receipts]) {
    const text = JSON.stringify(receipt);
    if (receipts.has(text)) continue;
    length += text.length;
    if (length > maxLength) break;
    receipts.set(text, receipt);
  }
  const { cleared } = latest;
  const isCut = known.truncated || latest.truncated;
  const nodeIds = union(known.cleared?.nodeIds, cleared?.nodeIds);
  return {
    ...latest,
    doneBy: union(known.doneBy, latest.doneBy),
    ...(cleared && { cleared: { ...cleared, nodeIds } }),
    ...(isCut && { truncated: true }),
    receipts: [...receipts.values()],
  };
}

/**
 * Returns texts that identify the content of a result: for a clear, one text for each node and for each
 * receipt; otherwise a single text.
 */
export function contentsOf({ at, instance, doneBy, cleared, receipts }: ResultMessage): readonly string[] {
  if (!doneBy) return [`${at} ${instance}`];
  return [
    ...(cleared?.nodeIds ?? []).map((nodeId) => `in ${nodeId}`),
    ...receipts.map((one) => `${one.at} ${one.device} ${one.operation} ${one.outcome}`),
  ];
}

function union(some: readonly string[] = [], others: readonly string[] = []): string[] {
  return [...new Set([...some, ...others])].slice(0, maxInstances + 1);
}
