import type { Operation } from '../../catalogue/operation';
import type { Receipt } from './receipt';

export interface Sender {
  /** Name of the node; the id of the node if the node has no name. */
  readonly node: string;
  readonly nodeId: string;
}

type Listener = (receipt: Receipt, sender: Sender) => void;

const listeners = new Set<Listener>();

/** @returns a function that removes the listener */
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

/** @param happened undefined if nothing succeeded at a device output */
export function emitOperation(happened: OperationEvent | undefined): void {
  if (happened) for (const listener of operationListeners) listener(happened);
}
