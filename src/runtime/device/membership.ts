import type { DeviceError } from '../../client/errors';
import type { Device } from './device';
import type { Entry } from './directory';

/** A device of a group, or what is in its place with the reason. */
export type Member =
  | { readonly device: Device; readonly asked?: undefined; readonly error?: undefined }
  | { readonly device?: undefined; readonly asked: string; readonly error: DeviceError };

/** What is known of a group by those who find it. */
export interface DeviceGroup extends Entry {
  readonly rehearsal: boolean;
  /** The devices that it has made itself. */
  readonly rows: readonly Device[];
  /**
   * The maximum number of its devices that are addressed in parallel.
   * @throws DeviceError NOT_CONFIGURED
   */
  readonly parallel: number;
  /** In their order, each once. */
  readonly members: readonly Member[];
  /** Whether a device belongs to it, without looking for all the others. */
  has(device: Pick<Device, 'id' | 'tags'>): boolean;
}
