import type { DeviceError } from '../../client/errors';
import type { Device } from './device';
import { foundAgain, type Member } from './registry';

/** The work of a node at one device of its target. */
interface Followed {
  readonly device: Device;
  stop(): void;
}

/**
 * Keeps one `T` for each device of a target, although deploys change the target: the work at an unchanged device
 * goes on, and the work at a device that was removed or replaced is stopped. The error of a member is reported
 * once while it lasts.
 */
export class GroupFollower<T extends Followed> {
  #followed: ReadonlyMap<string, T> = new Map();
  #faults: ReadonlyMap<string, DeviceError> = new Map();

  constructor(private readonly report: (asked: string, error: DeviceError) => void) {}

  get all(): readonly T[] {
    return [...this.#followed.values()];
  }

  /** The different errors of the members that have no device. */
  get faults(): readonly DeviceError[] {
    return [...this.#faults.values()];
  }

  /** Number of devices and of different errors. */
  get size(): number {
    return this.#followed.size + this.#faults.size;
  }

  get(id: string): T | undefined {
    return this.#followed.get(id);
  }

  /** @param begin starts the work at a device; `before` is the work at the device that has the same id */
  follow(
    members: readonly Member[],
    begin: (device: Device, before: T | undefined, index: number) => T,
  ): void {
    const faults = new Map<string, DeviceError>();
    for (const { asked, error } of members) {
      if (!error) continue;
      faults.set(error.message, error);
      if (!this.#faults.has(error.message)) this.report(asked, error);
    }
    const before = this.#followed;
    const devices = members.flatMap(({ device }) => device ?? []);
    const followed = devices.map((device, index) => {
      const known = before.get(device.id);
      return known?.device === device ? known : begin(device, known, index);
    });
    this.#faults = faults;
    this.#followed = new Map(followed.map((one) => [one.device.id, one]));
    for (const one of before.values()) if (this.get(one.device.id) !== one) one.stop();
  }

  stop(): void {
    for (const one of this.#followed.values()) one.stop();
  }
}

/** Returns the known devices by the ids that they have now: a deploy can give a device another id. */
export function foundAfterDeploy<K extends { readonly id: string; readonly where?: string | undefined }>(
  known: Iterable<K>,
): ReadonlyMap<string, K> {
  const found = new Map<string, K>();
  for (const one of known) {
    const successor = foundAgain(one);
    if (successor && (successor.id === one.id || !found.has(successor.id))) found.set(successor.id, one);
  }
  return found;
}
