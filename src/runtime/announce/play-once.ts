import type { NodeAPI } from 'node-red';
import { asDeviceError, type DeviceError, wordsOf } from '../../client/errors';
import { orThrow } from '../../kernel/property';
import type { Device } from '../device/device';
import { publish } from '../message/bus';
import { type Receipt, receiptOf } from '../message/receipt';
import { type AnnounceRequest, announcementsOf } from './announcements';
import { type AnnounceProperties, invalid, readSettings, readTone } from './properties';

/**
 * Queues an announcement from a dialog at one device.
 * @param properties `audio` must be the name of a tone; `audioType` is ignored
 * @returns the receipt of the announcement; an error receipt if the properties are invalid
 */
export async function playOnce(
  RED: NodeAPI,
  device: Device,
  node: AnnounceRequest['node'],
  properties: AnnounceProperties,
): Promise<Receipt> {
  const since = performance.now();
  try {
    const settings = readSettings(RED, properties, {});
    const audio = orThrow(readTone(properties.audio, 'audio'), invalid);
    const announcements = announcementsOf(RED);
    announcements.start();
    return await new Promise((resolve) => {
      announcements.announce({
        ...{ node, settings, audio, since, maxParallel: 1, by: undefined },
        ...{ targets: [{ device }], arrival: announcements.nextArrival() },
        onReceipt: (_index, receipt) => resolve(receipt),
      });
    });
  } catch (fault) {
    const error = asDeviceError(fault, 'announce');
    return publishedReceipt(RED, device, node, { operationName: 'announce/play', since, error });
  }
}

/**
 * Ends the announcements of a node at one device, for a dialog.
 * @returns the receipt, after the node has tried once to put back volume and text
 */
export async function stopOnce(
  RED: NodeAPI,
  device: Device,
  node: AnnounceRequest['node'],
): Promise<Receipt> {
  const since = performance.now();
  await announcementsOf(RED).stop(node.id, [device]);
  return publishedReceipt(RED, device, node, { operationName: 'announce/stop', since, error: undefined });
}

function publishedReceipt(
  RED: NodeAPI,
  { name, address }: Device,
  { id, name: nodeName }: AnnounceRequest['node'],
  { since, ...ended }: { operationName: string; since: number; error: DeviceError | undefined },
): Receipt {
  const receipt = receiptOf({
    ...{ device: name, address, latencyMs: performance.now() - since, outcome: 'accepted' },
    ...{ answer: undefined, notes: undefined, by: undefined, ...ended },
  });
  publish(receipt, { node: nodeName || id, nodeId: id }, (cause) => RED.log.error(wordsOf(cause)));
  return receipt;
}
