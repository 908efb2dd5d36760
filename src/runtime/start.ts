import type { NodeAPI } from 'node-red';
import { autoStopScheduler } from './auto-stop/auto-stops';
import { forgetClosed } from './device/registry';

/**
 * Starts the work that continues without a node: it removes closed devices after deploys and sends
 * auto-stops. Called with the first device or group.
 */
export function begin(RED: NodeAPI): void {
  // The listener must run before all other listeners. An earlier one is removed, since nodes can be loaded
  // several times.
  RED.events.off('flows:started', forgetClosed).prependListener('flows:started', forgetClosed);
  autoStopScheduler(RED);
}

/**
 * Sends the stops and clears that are pending from before this start, as soon as the flows have started. No
 * node is needed.
 */
export function settlePending(RED: NodeAPI): void {
  begin(RED);
  const { alertsOf }: typeof import('./alert/alerts') = require('./alert/alerts');
  alertsOf(RED);
}
