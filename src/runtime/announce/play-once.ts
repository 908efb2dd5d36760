import type { NodeAPI } from 'node-red';
import { asDeviceError } from '../../client/errors';
import { orThrow } from '../../kernel/property';
import type { Device } from '../device/device';
import type { Receipt } from '../message/receipt';
import type { AnnouncingNode } from './announcement';
import { announcementsOf } from './announcements';
import { type AnnounceProperties, invalid, readSettings, readTone } from './properties';

/**
 * Queues an announcement from a dialog at one device.
 * @param properties `audio` must be the name of a tone; `audioType` is ignored
 * @returns the receipt of the announcement; an error receipt if the properties are invalid
 */
export async function playOnce(
  RED: NodeAPI,
  device: Device,
  node: AnnouncingNode,
  properties: AnnounceProperties,
): Promise<Receipt> {
  const asked = { node, by: undefined, since: performance.now() };
  const announcements = announcementsOf(RED);
  try {
    const settings = readSettings(RED, properties, {});
    const audio = orThrow(readTone(properties.audio, 'audio'), invalid);
    announcements.start();
    return await new Promise((resolve) => {
      announcements.announce({
        ...{ ...asked, settings, audio },
        ...{ targets: [{ device }], arrival: announcements.nextArrival() },
        onReceipt: (_index, receipt) => resolve(receipt),
      });
    });
  } catch (fault) {
    return announcements.receiptOf(asked, { device }, { error: asDeviceError(fault, 'announce') });
  }
}

/**
 * Ends the announcements of a node at one device, for a dialog.
 * @returns the receipt, after the node has tried once to put back volume and text
 */
export async function stopOnce(RED: NodeAPI, device: Device, node: AnnouncingNode): Promise<Receipt> {
  const asked = { node, by: undefined, since: performance.now() };
  const announcements = announcementsOf(RED);
  await announcements.stop(node.id, [device]);
  return announcements.receiptOf(asked, { device }, { operationName: 'announce/stop' });
}
