import { said } from '../../catalogue/saying';
import type { DeviceSettings } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { type DeviceProperties, notConfigured, settingsOf, virtualSettingsOf } from './settings';
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
    const tls = surroundings.tlsOptions() ?? isMissing(name, 'noTlsNode');
    return settingsOf(name, properties, password, tls);
  }
  const endpoint = surroundings.endpoint() ?? isMissing(name, 'noVirtualNode');
  const found = await endpoint.catch((cause: Error) => {
    const values = { device: name, words: cause.message };
    throw new DeviceError('UNREACHABLE', said('virtualDown', values), { cause });
  });
  return virtualSettingsOf(name, properties, found);
}

function isMissing(name: string, reason: 'noTlsNode' | 'noVirtualNode'): never {
  throw notConfigured(name, said(reason));
}
