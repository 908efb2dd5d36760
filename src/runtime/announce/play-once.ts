import type { NodeAPI } from 'node-red';
import { DeviceError, faultError, wordsOf } from '../../client/errors';
import type { Device } from '../device/device';
import { publish } from '../message/bus';
import { type Receipt, receiptOf } from '../message/receipt';
import { type AnnounceRequest, announcementsOf } from './announcements';
import { type AnnounceProperties, readSettings, toneName } from './properties';

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
    const audio = toneName('audio', properties.audio);
    const announcements = announcementsOf(RED);
    announcements.start();
    return await new Promise((resolve) => {
      announcements.announce({
        ...{ node, settings, audio, since, maxParallel: 1, by: undefined },
        ...{ targets: [{ device }], arrival: announcements.nextArrival() },
        onReceipt: (_index, receipt) => resolve(receipt),
        onEvent() {},
      });
    });
  } catch (fault) {
    const error = fault instanceof DeviceError ? fault : faultError(fault, 'announce');
    const receipt = receiptOf({
      ...{ device: device.name, address: device.address, operationName: 'announce/play' },
      ...{ latencyMs: performance.now() - since, outcome: 'accepted', answer: undefined, notes: undefined },
      ...{ error, by: undefined },
    });
    publish(receipt, { node: node.name || node.id, nodeId: node.id }, (cause) =>
      RED.log.error(wordsOf(cause)),
    );
    return receipt;
  }
}
