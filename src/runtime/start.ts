import type { NodeAPI } from 'node-red';
import { autoStopScheduler } from './auto-stop/auto-stops';
import { followDeploys } from './device/registry';

/**
 * Starts the work that continues without a node: removes closed devices after deploys, and sends auto-stops.
 */
export function begin(RED: NodeAPI): void {
  followDeploys(RED);
  autoStopScheduler(RED);
}

/**
 * Sends the stops and clears that were pending before a restart, as soon as the flows have started. Also
 * undoes the remaining changes of announcements, and tells their ends. Works without any node.
 */
export function settlePending(RED: NodeAPI): void {
  begin(RED);
  const { alertsOf }: typeof import('./alert/alerts') = require('./alert/alerts');
  alertsOf(RED);
  // Loads the code of announcements only if the journal contains a change that must be undone, or an
  // announcement whose end must be told.
  const { journalOf }: typeof import('./journal/shared-journal') = require('./journal/shared-journal');
  const {
    changesPrefix,
    openPrefix,
  }: typeof import('./announce/announcement') = require('./announce/announcement');
  const left = [changesPrefix, openPrefix].some((prefix) => !journalOf(RED).entries(prefix).next().done);
  if (!left) return;
  const { announcementsOf }: typeof import('./announce/announcements') = require('./announce/announcements');
  announcementsOf(RED);
}
