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
 * The reporters of one node, with what they know of the devices. They are kept over deploys, so that a state that was
 * found before is not taken for news, and a change during the deploy is reported as a change.
 */
export class Known {
  #devices: readonly KnownDevice[] = [];

  /** Makes reporters that go on with what is known of the same device, as the flows name that device now. */
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

  /** Forgets all other devices: they are not read any more. */
  keepOnly(devices: Iterable<readonly [device: WatchedDevice, reporter: Reporter]>): void {
    this.#devices = [...devices].map(([{ id, where }, reporter]) => ({ id, where, reporter }));
  }
}
