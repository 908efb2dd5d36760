import { testDevice } from './test-device';

/** What the dialogs want of a device itself. */
export interface DeviceTools {
  readonly testDevice: typeof testDevice;
}

window.algoDevice = { testDevice };
