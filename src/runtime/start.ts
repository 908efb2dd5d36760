import type { NodeAPI } from 'node-red';
import { autoStopScheduler } from './auto-stop/auto-stops';
import { forgetClosed } from './device/registry';

/** Starts the work that needs no node, together with the first device: following deploys and sending auto-stops. */
export function begin(RED: NodeAPI): void {
  // Replaces an earlier listener, since nodes can be loaded several times. It must run before all other listeners.
  RED.events.off('flows:started', forgetClosed).prependListener('flows:started', forgetClosed);
  autoStopScheduler(RED);
}

/** Settles the work that is pending from before this start, as soon as the flows have started, whatever nodes exist. */
export function settlePending(RED: NodeAPI): void {
  begin(RED);
  const { alertsOf }: typeof import('./alert/alerts') = require('./alert/alerts');
  alertsOf(RED);
}
