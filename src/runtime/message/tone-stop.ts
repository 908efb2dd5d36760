import type { Device } from '../device/device';
import { compareFirmware } from '../device/identity';
import type { Keeping } from '../journal/of-node-red';
import { understood } from '../journal/understood';
import type { ActionHooks } from './hooks';

/** The first firmware that stops a tone without being told which one (4.5). */
const stopsWithoutName = '5.5';

/** How keys in the journal begin; what follows is where the device is. */
const prefix = 'tone/';

/**
 * Lets `tone stop` say what each firmware wants to hear: 5.4 and older the name of the tone, which is the one
 * last started here unless the message names one; later ones nothing. Firmware that is not known gets what
 * the message gives.
 * @param journal keeps the name over a restart, of a device that may want it
 */
export function toneStopByName(journal: Keeping): ActionHooks {
  let lastStarted: Map<string, unknown> | undefined;
  const known = () => {
    const pathIn = (value: unknown) => (typeof value === 'string' ? value : undefined);
    lastStarted ??= new Map(understood(journal, prefix, pathIn));
    return lastStarted;
  };
  return {
    adapt({ device, operation, sharedParameters: parameters }, { firmware }) {
      if (operation.id !== 'stop' || firmware === undefined) return { parameters };
      if (!wantsName(firmware)) return { parameters: {} };
      const path = parameters.path ?? known().get(keyOf(device));
      return { parameters: path === undefined ? {} : { path } };
    },
    done({ device, operation, parameters: { path } }) {
      const isStart = operation.id === 'start';
      if (!isStart && operation.id !== 'stop') return undefined;
      const { firmware } = device.knownIdentity;
      if (firmware !== undefined && !wantsName(firmware)) return undefined;
      const key = keyOf(device);
      if (!isStart) return known().delete(key) ? journal.delete(key) : undefined;
      if (typeof path !== 'string' || known().get(key) === path) return undefined;
      known().set(key, path);
      return journal.put(key, path);
    },
  };
}

function wantsName(firmware: string): boolean {
  return compareFirmware(firmware, stopsWithoutName) < 0;
}

/** By where it is: a deploy may give it another name, or make another device of it. */
function keyOf({ id, where = id }: Device): string {
  return prefix + where;
}
