import type { DeviceError } from '../../client/errors';
import type { Device } from '../device/device';
import type { Reading } from './reading';

export type ReaderDevice = Pick<
  Device,
  'name' | 'letDeviceDecide' | 'knownIdentity' | 'identity' | 'forgetIdentity' | 'call' | 'warn'
>;

export interface Watcher {
  /** Requested interval between readings, in milliseconds; infinite while the node requests no readings. */
  readonly intervalMs: number;
  readonly misses: number;
  /**
   * Called after each usable response.
   * @param isAsked whether a message to this watcher requested the reading
   */
  onReading(reading: Reading, isAsked: boolean): void;
  onMiss(error: DeviceError, isAsked: boolean): void;
  onUnsupported(error: DeviceError, isAsked: boolean): void;
  /** Called when the device was closed, but the watcher was not. No readings follow. */
  onClosed(): void;
}
