import type { NodeAPI } from 'node-red';

/**
 * Whether all flows have been stopped. A deploy of what was changed lets the others run, also for as long as it is
 * not over: where a type of node is missing it never is, and Node-RED says no more of it.
 * @param stop what comes with Node-RED's `flows:stopped`
 */
export function stopsAll(stop: unknown): boolean {
  const { type } = Object(stop) as { readonly type?: unknown };
  return type !== 'nodes' && type !== 'flows';
}

/**
 * Whether a user has stopped the flows, so that nothing starts them again by itself. Node-RED says the same of a
 * deploy and of its own end, and notes a user's stop in its settings before it stops anything.
 */
export function isStoppedByUser({ settings }: NodeAPI): boolean {
  const { get } = settings as unknown as { readonly get?: (name: string) => unknown };
  try {
    return get?.('runtimeFlowState') === 'stop';
  } catch {
    // Settings that are not there yet.
    return false;
  }
}
