import type { NodeAPI } from 'node-red';
import { autoStopScheduler } from './auto-stop/auto-stops';
import { forgetClosed } from './device/registry';

/** What goes on beside all nodes, from the first device on: deploys are followed, and ends are sent. */
export function begin(RED: NodeAPI): void {
  // Once, however often nodes are loaded, and heard before all others.
  RED.events.off('flows:started', forgetClosed).prependListener('flows:started', forgetClosed);
  autoStopScheduler(RED);
}

/** Ends what is owed from before this start, as soon as the flows have been started, whatever nodes there are. */
export function settleOwed(RED: NodeAPI): void {
  begin(RED);
  const { alertsOf }: typeof import('./alert/alerts') = require('./alert/alerts');
  alertsOf(RED);
}
