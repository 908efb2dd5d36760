import { VirtualDevice } from '../device';
import { lineOf } from '../log/entry';
import { type Endpoint, readNodeOptions } from './node-options';

/** A device that a config node keeps running. */
export interface RunningDevice {
  readonly device: VirtualDevice;
  /** Where it listens and how to sign. */
  readonly endpoint: Endpoint;
}

/**
 * Starts the device of a config node, and logs what it is asked and what it does by itself. Rejects with a
 * sentence for a person when it cannot be started as it is configured.
 */
export async function startDevice(
  config: Readonly<Record<string, unknown>>,
  credentials: { readonly password?: unknown } | undefined,
  log: (words: string) => void,
  panel: () => string | undefined,
): Promise<RunningDevice> {
  const options = readNodeOptions(config, credentials);
  const device = new VirtualDevice({ ...options, panel });
  device.on('request', (entry) => log(lineOf(entry)));
  device.on('happened', log);
  const address = await device.start();
  log(`virtual ${device.model} (firmware ${device.firmware}) listens on ${address}`);
  return { device, endpoint: { address, auth: options.auth, password: options.password } };
}
