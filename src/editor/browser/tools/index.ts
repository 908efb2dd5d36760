import { pick } from './pick';
import { testDevice } from './test-device';

/** What the dialogs want of a device itself. */
export interface DeviceTools {
  readonly testDevice: typeof testDevice;
  readonly pick: typeof pick;
}

window.algoDevice = { testDevice, pick };
