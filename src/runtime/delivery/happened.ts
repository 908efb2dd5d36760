import type { Operation } from '../../catalogue/operation';
import type { Delivery } from '../action/delivery';
import { type Receipt, succeeded } from '../action/receipt';

/** What a message to an action node has done at a device. */
export interface Happened {
  readonly device: { readonly id: string; readonly where?: string | undefined };
  /** For example `door 1`. */
  readonly subject: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const listeners = new Set<(happened: Happened) => void>();

/** Tells a listener what action nodes have started or ended. */
export function onHappened(listener: (happened: Happened) => void): void {
  listeners.add(listener);
}

/** A message to an action node has ended at one target. */
export function tellHappened(delivery: Delivery, receipt: Receipt): void {
  const { operation, parameters, subject } = delivery.dispatch;
  if (!operation || !subject || !succeeded(receipt) || receipt.outcome === 'rehearsed') return;
  const { name } = subject;
  for (const listener of listeners)
    listener({ device: delivery.device, subject: name, operation, parameters });
}
