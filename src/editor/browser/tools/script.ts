import { find, knownPlaces } from './finder';
import { makeDevices } from './make-devices';
import { pick } from './pick';
import { addQuick } from './quick';
import { showKeys } from './show-keys';
import { testDevice } from './test-device';
import { askToTryAnnouncement } from './try-announcement';
import { askToTry } from './try-it';
import { WebhookGuide } from './webhook-guide';

export interface DeviceTools {
  readonly testDevice: typeof testDevice;
  readonly pick: typeof pick;
  readonly addQuick: typeof addQuick;
  readonly askToTry: typeof askToTry;
  readonly askToTryAnnouncement: typeof askToTryAnnouncement;
  readonly find: typeof find;
  readonly knownPlaces: typeof knownPlaces;
  readonly makeDevices: typeof makeDevices;
  readonly showKeys: typeof showKeys;
  readonly WebhookGuide: typeof WebhookGuide;
}

window.algoDevice = {
  testDevice,
  pick,
  addQuick,
  askToTry,
  askToTryAnnouncement,
  find,
  knownPlaces,
  makeDevices,
  showKeys,
  WebhookGuide,
};
