import type { ConnectionOptions } from 'node:tls';
import type { Environment } from '../../client/client';
import type { Clock } from '../../time/clock';
import type { VirtualEndpoint } from './settings';

/** What a device needs from Node-RED; looked up when it is needed, since other nodes come and go. */
export interface DeviceSurroundings {
  /** TLS options of the `tls-config` that the device names, or undefined when there is none such. */
  tlsOptions(): ConnectionOptions | undefined;
  /** The endpoint of the virtual device that the device names, or undefined when there is none such. */
  endpoint(): Promise<VirtualEndpoint> | undefined;
  readonly environment: Partial<Environment>;
  /** When readings happen; the machine's own time, unless a test has another. */
  readonly timing?: Clock;
}

/** An observer of a device: its status might have changed, or the device is closed. */
export interface DeviceObserver {
  noteAction(): void;
  close(): void;
}
