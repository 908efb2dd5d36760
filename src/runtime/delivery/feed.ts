import type { Receipt } from '../action/receipt';

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
