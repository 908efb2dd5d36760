import type { NodeStatus } from 'node-red';
import type { Translate } from '../node-status';
import type { AlertState } from './alert';

/**
 * Under the node: where an alert is on, or how much of it is still to be cleared.
 * @param of how many targets it was to reach
 */
export function statusOf(
  translate: Translate,
  { state, devices, waiting }: AlertState,
  of: number,
): NodeStatus {
  if (state === 'idle') return { fill: 'grey', shape: 'dot', text: translate('status.idle') };
  if (state === 'clearing') {
    const text = translate('status.clearing', { count: String(waiting.length) });
    return { fill: 'yellow', shape: 'ring', text };
  }
  const text = translate('status.on', { done: String(devices.length), all: String(of) });
  return { fill: 'red', shape: 'dot', text };
}
