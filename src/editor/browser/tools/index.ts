import { pick } from './pick';
import { addQuick } from './quick';
import { testDevice } from './test-device';
import { askToTry } from './try-it';

/** What the dialogs want of a device itself. */
export interface DeviceTools {
  readonly testDevice: typeof testDevice;
  readonly pick: typeof pick;
  readonly addQuick: typeof addQuick;
  readonly askToTry: typeof askToTry;
}

window.algoDevice = { testDevice, pick, addQuick, askToTry };
