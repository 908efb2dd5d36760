import type { Operation } from '../../catalogue/operation';
import type { Receipt } from './receipt';

export interface Sender {
  readonly node: string;
  readonly nodeId: string;
}

type Listener = (receipt: Receipt, sender: Sender) => void;

const listeners = new Set<Listener>();

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Passes a receipt to all listeners. An exception of a listener goes to `onFault`, and the other listeners
 * still get the receipt.
 */
export function publish(receipt: Receipt, sender: Sender, onFault: (fault: unknown) => void): void {
  for (const listener of listeners) {
    try {
      listener(receipt, sender);
    } catch (fault) {
      onFault(fault);
    }
  }
}

/**
 * An operation that has succeeded at a device output, on behalf of a node, a job of a site or a dialog.
 * Operations of alerts are not included.
 */
export interface OperationEvent {
  readonly device: { readonly id: string; readonly where?: string | undefined };
  readonly deviceOutput: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const operationListeners = new Set<(happened: OperationEvent) => void>();

export function onOperation(listener: (happened: OperationEvent) => void): void {
  operationListeners.add(listener);
}

export function emitOperation(happened: OperationEvent | undefined): void {
  if (happened) for (const listener of operationListeners) listener(happened);
}
