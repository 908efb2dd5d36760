import type { NodeMessage } from 'node-red';
import type { Open } from '../lazy';
import { listen } from './bus';
import { ownReceipt, succeeded } from './receipt';

interface ReceiptsProperties {
  /**
   * The receipts that the node sends: `problems` for failures except skipped operations; any other value for
   * all receipts.
   */
  readonly show?: unknown;
}

export const openReceipts: Open<ReceiptsProperties> = (node, { show }) => {
  const isReported = show === 'problems' ? isProblem : () => true;
  const stop = listen((receipt, sender) => {
    if (!isReported(receipt)) return;
    const message: NodeMessage = { topic: receipt.device, payload: { ...ownReceipt(receipt), ...sender } };
    node.send(message);
  });
  node.on('close', () => stop());
};

function isProblem(receipt: Parameters<typeof succeeded>[0]): boolean {
  return !succeeded(receipt) && receipt.outcome !== 'skipped';
}
