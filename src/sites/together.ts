import { maxInstances } from './peer-registry';
import { maxMessageBytes, type ResultMessage, type WireReceipt } from './wire';

/** The receipts of all instances together have at most so many characters: a site that says more harms itself. */
const maxLength = 4 * maxMessageBytes;

/**
 * What several instances have said of a job that each of them does, as one: everybody, and each receipt once.
 * @param known what was heard before
 * @param latest says when, and by whom
 */
export function together(known: ResultMessage | undefined, latest: ResultMessage): ResultMessage {
  if (!known?.by || !latest.by) return latest;
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
  const places = union(known.cleared?.places, cleared?.places);
  return {
    ...latest,
    by: union(known.by, latest.by),
    ...(cleared && { cleared: { ...cleared, places } }),
    ...(isCut && { truncated: true }),
    receipts: [...receipts.values()],
  };
}

/** What is told of a result: something in it is new where it says more than others did. */
export function toldBy({ at, instance, by, cleared, receipts }: ResultMessage): readonly string[] {
  if (!by) return [`${at} ${instance}`];
  return [
    ...(cleared?.places ?? []).map((place) => `in ${place}`),
    ...receipts.map((one) => `${one.at} ${one.device} ${one.operation} ${one.outcome}`),
  ];
}

function union(some: readonly string[] = [], others: readonly string[] = []): string[] {
  return [...new Set([...some, ...others])].slice(0, maxInstances + 1);
}
