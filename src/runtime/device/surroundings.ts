import type { ConnectionOptions } from 'node:tls';
import type { Node, NodeAPI } from 'node-red';
import { localized } from '../../catalogue/localized-message';
import type { DeviceSettings, Environment } from '../../client/client';
import { prepareToSend } from '../../client/environment';
import { DeviceError } from '../../client/errors';
import type { Clock } from '../../kernel/time/clock';
import {
  type DeviceProperties,
  notConfigured,
  settingsOf,
  type VirtualEndpoint,
  virtualSettingsOf,
} from './settings';

/**
 * The parts of Node-RED that a device uses. Other nodes are looked up at each use, since deploys replace
 * nodes.
 */
export interface DeviceSurroundings {
  tlsOptions(): ConnectionOptions | undefined;
  endpoint(): Promise<VirtualEndpoint> | undefined;
  readonly environment: Partial<Environment>;
  readonly timing?: Clock;
}

/**
 * An observer of a device. `recordAction` is called after each action that might have changed the state of
 * the device.
 */
export interface DeviceObserver {
  recordAction(): void;
  close(): void;
}

/**
 * Returns the client's settings of a device, including settings from other nodes.
 * @throws DeviceError NOT_CONFIGURED if a setting is missing or invalid; UNREACHABLE if the virtual device is
 * not running
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
    const reason = localized('virtualDown', { words: cause.message });
    throw new DeviceError('UNREACHABLE', reason, { place: `"${name}"`, cause });
  });
  return virtualSettingsOf(name, properties, found);
}

function isMissing(name: string, reason: 'noTlsNode' | 'noVirtualNode'): never {
  throw notConfigured(name, localized(reason));
}

interface TlsConfigNode extends Node {
  addTLSOptions?(options: ConnectionOptions): void;
}

interface VirtualDeviceNode extends Node {
  endpoint?(): Promise<VirtualEndpoint>;
}

export function surroundingsOf(
  RED: NodeAPI,
  node: Node,
  { tls, virtual }: Pick<DeviceProperties, 'tls' | 'virtual'>,
): DeviceSurroundings {
  prepareToSend();
  return {
    tlsOptions() {
      const options: ConnectionOptions = {};
      if (!tls) return options;
      const config = RED.nodes.getNode(String(tls)) as TlsConfigNode | null;
      if (!config?.addTLSOptions) return undefined;
      config.addTLSOptions(options);
      return options;
    },
    endpoint: () => (RED.nodes.getNode(String(virtual)) as VirtualDeviceNode | null)?.endpoint?.(),
    environment: {
      ...(isTraced(RED) && { trace: (line: string) => node.trace(line) }),
      warn: (line) => node.warn(line),
    },
  };
}

/**
 * Whether a log of Node-RED might show trace lines. Building a line that no one reads would cost as much as
 * signing a request.
 */
function isTraced({ settings }: NodeAPI): boolean {
  const { logging } = settings as { logging?: Record<string, { level?: unknown } | undefined> };
  return !logging || Object.values(logging).some((log) => log?.level === 'trace');
}
