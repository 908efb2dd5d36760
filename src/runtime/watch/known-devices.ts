import { foundAgain } from '../device/registry';
import type { Reporter } from './watch';

interface WatchedDevice {
  readonly id: string;
  readonly where: string | undefined;
}

interface KnownDevice extends WatchedDevice {
  readonly reporter: Reporter;
}

/**
 * The last states of the devices of one node, stored in their reporters. With these states, a deploy neither
 * reports an old state as new nor loses a change.
 */
export class KnownDevices {
  #devices: readonly KnownDevice[] = [];

  /** A reporter continues with the last state of its device, even if the device now has another id. */
  makerOf(makeReporter: () => Reporter): (device: WatchedDevice) => Reporter {
    const found = new Map<string, Reporter>();
    for (const { id, where, reporter } of this.#devices) {
      const successor = foundAgain({ id, where });
      if (successor && (successor.id === id || !found.has(successor.id))) found.set(successor.id, reporter);
    }
    return ({ id }) => {
      const reporter = makeReporter();
      const before = found.get(id);
      if (before) reporter.goOnWith(before);
      return reporter;
    };
  }

  keepOnly(devices: Iterable<readonly [device: WatchedDevice, reporter: Reporter]>): void {
    this.#devices = [...devices].map(([{ id, where }, reporter]) => ({ id, where, reporter }));
  }
}
