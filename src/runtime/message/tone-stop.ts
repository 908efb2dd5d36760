import { DurableMap } from '../../kernel/durable-map';
import type { SharedJournal } from '../../kernel/journal/journal';
import { text } from '../../kernel/shape';
import type { Device } from '../device/device';
import { compareFirmware } from '../device/identity';
import type { ActionHooks } from './hooks';

/** The first firmware that stops a tone without its name (docs/interface.md, section 4.5). */
const stopsWithoutName = '5.5';

/**
 * Returns hooks that adapt `tone stop` to the firmware. Firmware 5.4 and older expects the name of a tone.
 * The name comes from the message, or else from the tone that Node-RED started last.
 * @param journal keeps the name of the last tone across restarts
 */
export function toneStopByName(journal: SharedJournal): ActionHooks {
  let map: DurableMap<string> | undefined;
  const lastStarted = () => {
    map ??= new DurableMap(journal, 'tone/', text());
    return map;
  };
  return {
    needsFirmware: ({ id }, { path }) => id === 'stop' && path !== undefined,
    adapt({ device, operation, sharedParameters: parameters }, { firmware }) {
      if (operation.id !== 'stop' || firmware === undefined) return { parameters };
      if (!wantsName(firmware)) return { parameters: {} };
      const path = parameters.path ?? lastStarted().get(keyOf(device));
      return { parameters: path === undefined ? {} : { path } };
    },
    done({ device, operation, parameters: { path } }) {
      const isStart = operation.id === 'start';
      if (!isStart && operation.id !== 'stop') return undefined;
      const { firmware } = device.recognition.known;
      if (firmware !== undefined && !wantsName(firmware)) return undefined;
      const key = keyOf(device);
      if (!isStart) return lastStarted().delete(key);
      const isNew = typeof path === 'string' && lastStarted().get(key) !== path;
      return isNew ? lastStarted().set(key, path) : undefined;
    },
  };
}

function wantsName(firmware: string): boolean {
  return compareFirmware(firmware, stopsWithoutName) < 0;
}

function keyOf({ id, where = id }: Device): string {
  return where;
}
