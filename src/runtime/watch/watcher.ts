import type { DeviceError } from '../../client/errors';
import type { Device } from '../device/device';
import type { Reading } from './reading';

/** What a reader needs of its device. */
export type ReaderDevice = Pick<
  Device,
  | 'name'
  | 'letDeviceDecide'
  | 'knownIdentity'
  | 'identity'
  | 'forgetIdentity'
  | 'call'
  | 'warn'
  | 'isAskedOnWire'
>;

/** Who watches: one node. */
export interface Watcher {
  /** Milliseconds between readings as it wants them now; infinite while it wants none. */
  readonly intervalMs: number;
  /** How many misses in a row lose contact. */
  readonly misses: number;
  /** @param isAsked it has asked for this one, and is going to be answered */
  onReading(reading: Reading, isAsked: boolean): void;
  onMiss(error: DeviceError, isAsked: boolean): void;
  /** The device has nothing to read. */
  onLack(error: DeviceError, isAsked: boolean): void;
  /** The device was closed, and this watcher was not: nothing is read any more. */
  onClosed(): void;
}
