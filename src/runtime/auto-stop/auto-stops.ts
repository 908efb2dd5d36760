import type { NodeAPI } from 'node-red';
import { localized } from '../../catalogue/localized-message';
import { DeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import { backgroundClock } from '../../kernel/time/clock';
import { deviceById, foundAgain, idOfStarted } from '../device/registry';
import { isStoppedForGood, onStopForGood, soonMs, stopsAll, warnOfUnsent } from '../flows-stopped';
import { journalOf } from '../journal/shared-journal';
import { publish, realAlerts } from '../message/bus';
import { dispatchTo } from '../message/dispatch';
import { kindOf } from '../message/kinds';
import { isOpening, sendLastStops } from '../message/opening-starts';
import { quotedError, succeeded } from '../message/receipt';
import { type StopCommand, stopContext } from '../message/stop-command';
import { PerNodeRed } from '../per-node-red';
import { type AutoStop, AutoStopScheduler } from './scheduler';

const schedulers = new PerNodeRed(begin);

/** Returns the scheduler of a Node-RED, created on demand. A deploy does not create a new scheduler. */
export function autoStopScheduler(RED: NodeAPI): AutoStopScheduler {
  return schedulers.of(RED);
}

export function existingAutoStopScheduler(RED: NodeAPI): AutoStopScheduler | undefined {
  return schedulers.existing(RED);
}

function begin(RED: NodeAPI): AutoStopScheduler {
  const scheduler = new AutoStopScheduler({
    clock: backgroundClock,
    journal: journalOf(RED),
    attempt: (stop, signal) => send(RED, stop, signal),
    successorOf({ device, node }) {
      const successor = foundAgain(device);
      return successor && successor.id !== device.id ? stopContext(successor, node) : undefined;
    },
    warn: ({ node }, sentence) => RED.log.warn(`[${node.type}:${node.name || node.id}] ${sentence}`),
    giveUp: (stopCommand, error) => giveUp(RED, stopCommand, error),
  });
  onStopForGood(RED, () => sendLastStops(RED, () => scheduler.leave(isOpenSoon)));
  // After all flows have stopped, no device can receive a stop until `flows:started`.
  RED.events.on('flows:stopped', (stop) => {
    if (!stopsAll(stop)) return;
    scheduler.close();
    if (isStoppedForGood(RED)) warnOfUnsent(RED, [...scheduler.pending()].map(named));
  });
  RED.events.on('flows:started', () => scheduler.run());
  return scheduler;
}

function isOpenSoon({ deviceOutput }: AutoStop, due: number): boolean {
  return isOpening(deviceOutput) && due <= Date.now() + soonMs;
}

function named({ operation, device, due }: AutoStop & { readonly due: number }): string {
  return `${operation} at ${device.name || device.id} (due ${new Date(due).toISOString()})`;
}

const failed = new WeakSet<StopCommand>();

/**
 * Sends a stop once. The stop yields to starts, unless the flows stop for good. A stop at a device output that a
 * real alert owns is not sent, and counts as done.
 * @throws DeviceError if the stop was not done, also for a dry run
 */
async function send(RED: NodeAPI, stopCommand: AutoStop, signal: AbortSignal): Promise<void> {
  const { operation, parameters } = stopCommand;
  // Hooks that adapt parameters need the firmware. After a restart of Node-RED, the firmware is unknown
  // until the identity is read.
  if (kindOf(operation)?.hooks.adapt) await deviceById(stopCommand.device.id)?.identity();
  // A start might have replaced the stop in the meantime, and an aborted signal does not call new listeners.
  if (signal.aborted) throw new DeviceError('ABORTED', localized('notWanted'));
  const { id, name } = stopCommand.node;
  const keepsOn = realAlerts.keepsOn(stopCommand.device, stopCommand.deviceOutput, id);
  if (keepsOn === true) return;
  if (keepsOn === 'later') throw new DeviceError('ABORTED', localized('startWaits'));
  const request = {
    ...{ as: stopCommand.node, operation, parameters, device: idOfStarted(stopCommand.device) },
    how: { autoStops: undefined, yields: !isStoppedForGood(RED) },
  };
  const { receipt } = await dispatchTo(stopCommand.device.name, request, (deliveries) => {
    const stop = () => {
      for (const { abort } of deliveries) abort.abort(Failure.own('ABORTED', localized('notWanted')));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  const isDone = succeeded(receipt) && receipt.outcome !== 'dry-run';
  const isGivenUp = receipt.error?.code === 'ABORTED';
  if (isDone || !(isGivenUp || failed.has(stopCommand))) {
    publish(receipt, { node: name || id, nodeId: id }, () => {});
  }
  if (isDone) return;
  if (!isGivenUp) failed.add(stopCommand);
  if (receipt.error) throw quotedError(receipt.error);
  throw new DeviceError('NOT_SUPPORTED', 'Dry run is on for the device');
}

function giveUp(RED: NodeAPI, { node }: StopCommand, error: Error): void {
  const found = RED.nodes.getNode(node.id);
  if (found) found.error(error, { _msgid: RED.util.generateId() });
  else RED.log.error(`[${node.type}:${node.name || node.id}] ${error.message}`);
}
