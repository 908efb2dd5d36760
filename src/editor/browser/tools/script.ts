import { compareSettings } from './compare';
import { find, knownPlaces } from './finder';
import { makeDevices } from './make-devices';
import { pick } from './pick';
import { addQuick } from './quick';
import { showKeys } from './show-keys';
import { testDevice } from './test-device';
import { testRows } from './test-rows';
import { askToTryAnnouncement } from './try-announcement';
import { askToTry } from './try-it';
import { WebhookGuide } from './webhook-guide';

const tools = {
  testDevice,
  testRows,
  pick,
  addQuick,
  askToTry,
  compareSettings,
  askToTryAnnouncement,
  find,
  knownPlaces,
  makeDevices,
  showKeys,
  WebhookGuide,
};

export type DeviceTools = typeof tools;

window.algoDevice = tools;
