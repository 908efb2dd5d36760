import type { DeviceSettings } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { type DeviceProperties, settingsOf, virtualSettingsOf } from './settings';
import type { DeviceSurroundings } from './surroundings';

/**
 * The client's settings of a device, with what other nodes have to say of it.
 * @throws DeviceError NOT_CONFIGURED, or UNREACHABLE where its virtual device does not run
 */
export async function settingsIn(
  surroundings: DeviceSurroundings,
  name: string,
  properties: DeviceProperties,
  password: unknown,
): Promise<DeviceSettings> {
  if (!properties.virtual) {
    const tls = surroundings.tlsOptions() ?? isMissing(name, 'TLS configuration');
    return settingsOf(name, properties, password, tls);
  }
  const endpoint = surroundings.endpoint() ?? isMissing(name, 'virtual device');
  const found = await endpoint.catch((cause: Error) => {
    const sentence = `Device "${name}" cannot be reached: its virtual device does not run: ${cause.message}`;
    throw new DeviceError('UNREACHABLE', sentence, { cause });
  });
  return virtualSettingsOf(name, properties, found);
}

function isMissing(name: string, what: string): never {
  const sentence = `Device "${name}" cannot be used: the ${what} it names does not exist or is disabled`;
  throw new DeviceError('NOT_CONFIGURED', sentence);
}
