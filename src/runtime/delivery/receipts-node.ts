import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { succeeded } from '../action/receipt';
import { listen } from './feed';

interface ReceiptsNodeDef extends NodeDef {
  /** `all`, unless it is `problems`: what did not succeed, but for what a model lacks. */
  readonly show?: unknown;
}

/** Registers `algo-receipts`: every receipt of every node of ours, as it comes (docs/contract.md 2.5). */
export function registerReceiptsNode(RED: NodeAPI): void {
  RED.nodes.registerType('algo-receipts', function (this: Node, definition: ReceiptsNodeDef) {
    RED.nodes.createNode(this, definition);
    const isTold = definition.show === 'problems' ? isProblem : () => true;
    const stop = listen((receipt, sender) => {
      if (!isTold(receipt)) return;
      const message: NodeMessage = { topic: receipt.device, payload: { ...receipt, ...sender } };
      this.send(message);
    });
    this.on('close', () => stop());
  });
}

function isProblem(receipt: Parameters<typeof succeeded>[0]): boolean {
  return !succeeded(receipt) && receipt.outcome !== 'skipped';
}
