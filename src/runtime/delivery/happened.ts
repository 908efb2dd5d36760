import type { Operation } from '../../catalogue/operation';

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

/** Tells the listeners; undefined where nothing was started or ended. */
export function tellHappened(happened: Happened | undefined): void {
  if (happened) for (const listener of listeners) listener(happened);
}
