import type { Operation } from '../../catalogue/operation';
import type { Receipt } from './receipt';

/** The node that a receipt belongs to. */
export interface Sender {
  /** Its name, else its id. */
  readonly node: string;
  readonly nodeId: string;
}

type Listener = (receipt: Receipt, sender: Sender) => void;

const listeners = new Set<Listener>();

/**
 * Tells a listener of every receipt of every node as it comes.
 * @returns what ends that
 */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whoever listens cannot keep a message from going on. */
export function publish(receipt: Receipt, sender: Sender, onFault: (fault: unknown) => void): void {
  for (const listener of listeners) {
    try {
      listener(receipt, sender);
    } catch (fault) {
      onFault(fault);
    }
  }
}

/** What a message to an action node has done at a device. */
export interface OperationEvent {
  readonly device: { readonly id: string; readonly where?: string | undefined };
  /** For example `door 1`. */
  readonly subject: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const operationListeners = new Set<(happened: OperationEvent) => void>();

/** Tells a listener what action nodes have started or ended. */
export function onOperation(listener: (happened: OperationEvent) => void): void {
  operationListeners.add(listener);
}

/** Tells the operationListeners; undefined where nothing was started or ended. */
export function emitOperation(happened: OperationEvent | undefined): void {
  if (happened) for (const listener of operationListeners) listener(happened);
}
