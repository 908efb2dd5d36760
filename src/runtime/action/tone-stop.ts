import type { Device } from '../device/device';
import { compareFirmware } from '../device/identity';
import type { ActionHooks } from './hooks';

/** The first firmware that stops a tone without being told which one (4.5). */
const stopsWithoutName = '5.5';

/**
 * Lets `tone stop` say what each firmware wants to hear: 5.4 and older the name of the tone, which is the one
 * last started here unless the message names one; later ones nothing. Firmware that is not known gets what
 * the message gives.
 */
export function toneStopByName(): ActionHooks {
  const lastStarted = new WeakMap<Device, unknown>();
  return {
    adapt({ device, dispatch, operation }, { firmware }) {
      const { parameters } = dispatch;
      if (operation.id !== 'stop' || firmware === undefined) return { parameters };
      if (compareFirmware(firmware, stopsWithoutName) >= 0) return { parameters: {} };
      const path = parameters.path ?? lastStarted.get(device);
      return { parameters: path === undefined ? {} : { path } };
    },
    done({ device, operation, parameters }) {
      if (operation.id === 'start') lastStarted.set(device, parameters.path);
    },
  };
}
