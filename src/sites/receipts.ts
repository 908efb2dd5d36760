import { isShallow } from '../json';
import { maxDepth, maxMessageBytes, type ResultMessage, type WireReceipt } from './wire';

/** All outcomes, worst first. */
const worst = ['failed', 'unknown', 'expired', 'superseded', 'skipped', 'dry-run', 'accepted', 'confirmed'];

/** Bytes of a message that are reserved for fields other than the receipts. */
const reservedBytes = 16 * 1024;

const maxReceipts = 10_000;

/**
 * Returns a result that fits into one message. If the receipts are too many, too long or too deep, shortens
 * each receipt (see `truncated`). If the shortened receipts are still too long, one receipt stands for all
 * remaining receipts with the same operation, outcome and error code.
 */
export function fitting<R extends Pick<ResultMessage, 'receipts' | 'truncated'>>(result: R): R {
  if (isFitting(result.receipts)) return result;
  const receipts = result.receipts.map(cut);
  return { ...result, truncated: true, receipts: isFitting(receipts) ? receipts : counted(receipts) };
}

function isFitting(receipts: readonly WireReceipt[]): boolean {
  // The receiver measures the depth of the message, not of its receipts.
  if (receipts.length > maxReceipts || !isShallow({ receipts }, maxDepth)) return false;
  return Buffer.byteLength(JSON.stringify(receipts)) <= maxMessageBytes - reservedBytes;
}

function cut({ device, operation, outcome, attempts, error }: WireReceipt): WireReceipt {
  return {
    device,
    operation,
    outcome,
    attempts,
    ...(error && { error: { code: error.code } }),
  } as WireReceipt;
}

function counted(receipts: readonly WireReceipt[]): readonly WireReceipt[] {
  const sorted = receipts.toSorted((one, other) => placeOf(one) - placeOf(other));
  const listed: WireReceipt[] = [];
  let bytes = 2 * reservedBytes;
  for (const receipt of sorted) {
    bytes += Buffer.byteLength(JSON.stringify(receipt)) + 1;
    if (bytes > maxMessageBytes || listed.length >= maxReceipts / 2) break;
    listed.push(receipt);
  }
  const groups = new Map<string, WireReceipt[]>();
  for (const receipt of sorted.slice(listed.length)) {
    const key = JSON.stringify([receipt.operation, receipt.outcome, receipt.error?.code]);
    groups.set(key, [...(groups.get(key) ?? []), receipt]);
  }
  return [
    ...listed,
    ...[...groups.values()].flatMap(([first, ...others]) =>
      first ? [{ ...first, device: `${others.length + 1} more`, attempts: 0 }] : [],
    ),
  ];
}

const on = ['accepted', 'confirmed', 'unknown'];

/** Outcomes after which an alert can start an action by itself (docs/contract.md 2.6). */
const notYetOn = ['failed', 'expired', 'skipped'];

/** Codes of actions that an alert never starts by itself. */
const neverOn = ['NOT_SUPPORTED', 'INVALID_PARAMETER', 'NOT_CONFIGURED'];

/**
 * Whether an action of an alert might be on, or might still be started, according to a receipt of the start: an
 * active alert retries an action that failed, and sends an action that another alert has held back. A receipt for
 * the whole job shows that the alert did not become active.
 */
export function mayComeOn({ operation, outcome, error }: WireReceipt): boolean {
  if (on.includes(outcome)) return true;
  return notYetOn.includes(outcome) && operation !== 'alert/start' && !neverOn.includes(error?.code ?? '');
}

/** @returns `accepted` if there are no receipts */
export function worstOf(receipts: readonly Pick<WireReceipt, 'outcome'>[]): string {
  let index = worst.length;
  for (const receipt of receipts) index = Math.min(index, placeOf(receipt));
  return worst[index] ?? 'accepted';
}

/** An outcome that is not in the list counts as the worst. */
function placeOf({ outcome }: Pick<WireReceipt, 'outcome'>): number {
  return Math.max(worst.indexOf(outcome), 0);
}

export type SiteReceipt = WireReceipt & { readonly site: string };

export interface SiteAnswer {
  readonly outcome: string;
  readonly receipts: readonly SiteReceipt[];
  readonly at: string;
  readonly instance?: string;
  readonly truncated?: true;
}

/** Returns the answer of a site as a flow gets it; `instance` is absent if the centre decided the result. */
export function answerOf(
  site: string,
  result: Omit<ResultMessage, 'instance'> & { readonly instance?: string },
): SiteAnswer {
  const { receipts, at, instance, truncated } = result;
  return {
    outcome: worstOf(receipts),
    receipts: receipts.map((receipt) => ({ ...worded(receipt), site })),
    at,
    ...(instance !== undefined && { instance }),
    ...(truncated && { truncated }),
  };
}

/** Adds the sentences of an error to a shortened receipt, which has only the code. */
function worded(receipt: WireReceipt): WireReceipt {
  const { error, operation } = receipt;
  if (!error || error.reason !== undefined) return receipt;
  const { code } = error;
  const reason = "the site's answer was too long for the broker";
  return { ...receipt, error: { code, reason, message: `${reason}: ${operation}; ${code}` } };
}
