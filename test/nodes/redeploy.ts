import { type EventEmitter, once } from 'node:events';
import helper from 'node-red-node-test-helper';

interface Inside {
  readonly _events: EventEmitter;
  readonly _redNodes: { setFlows(flow: unknown, credentials: object, type: string): Promise<void> };
}

/**
 * Deploys a flow over the one that runs, and resolves when it has started. The test helper does the same and gives
 * up after 300 ms, which is too early on a busy machine.
 */
export async function redeploy(flow: readonly unknown[], type: 'full' | 'nodes' = 'nodes'): Promise<void> {
  const { _events: events, _redNodes: nodes } = helper as unknown as Inside;
  const started = once(events, 'flows:started');
  await nodes.setFlows(flow, {}, type);
  await started;
}
