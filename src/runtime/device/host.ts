import type { ConnectionOptions } from 'node:tls';
import type { Node, NodeAPI } from 'node-red';
import { prepareToSend } from '../../client/environment';
import type { DeviceProperties, VirtualEndpoint } from './settings';
import type { DeviceSurroundings } from './surroundings';

interface TlsConfigNode extends Node {
  addTLSOptions?(options: ConnectionOptions): void;
}

interface VirtualDeviceNode extends Node {
  endpoint?(): Promise<VirtualEndpoint>;
}

/** What the devices of one configuration node need from Node-RED. */
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

/** Whether any of Node-RED's logs takes trace lines: to make one for nobody costs as much as to sign a request. */
function isTraced({ settings }: NodeAPI): boolean {
  const { logging } = settings as { logging?: Record<string, { level?: unknown } | undefined> };
  return !logging || Object.values(logging).some((log) => log?.level === 'trace');
}
