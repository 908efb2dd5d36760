import { createSocket } from 'node:dgram';
import type { Server } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { NodeAPI } from 'node-red';
import { listOf } from '../../kernel/property';
import type { WebhookAddress } from '../answers';
import { everyDevice } from '../device/registry';
import type { AdminHandler } from '../lazy';
import { HostAddresses, hostsIn, isLoopback, normalAddress } from '../webhook/callers';
import { rootsIn } from '../webhook/server';
import { answer, guard, guarded, maxIds } from './guard';

const routeLimitMs = 1_000;

const maxRoutes = 5;

export function webhookEndpoints(RED: NodeAPI): Record<'/algo/webhook/address', AdminHandler> {
  const may = guard(RED, 'flows.write');
  return {
    '/algo/webhook/address': guarded(may, ({ body }, response) => {
      const { targets, id, password } = Object(body) as Readonly<Record<string, unknown>>;
      const texts = Array.isArray(targets) ? targets.filter((one) => typeof one === 'string') : [];
      const own = typeof password === 'string' ? password : passwordOf(RED, id);
      const samePassword = [...everyDevice()].find((device) => device.isPassword(own))?.name;
      void addressFor(RED, listOf(texts).slice(0, maxIds)).then(
        (found) => answer(response, 200, { ...found, ...(samePassword !== undefined && { samePassword }) }),
        () => answer(response, 500, {}),
      );
    }),
  };
}

/** Returns the password of the running webhook; an empty text if there is none. */
function passwordOf(RED: NodeAPI, id: unknown): string {
  const node = typeof id === 'string' ? RED.nodes.getNode(id) : undefined;
  const { credentials } = Object(node) as { credentials?: { password?: unknown } };
  return String(credentials?.password ?? '');
}

async function addressFor(RED: NodeAPI, targets: readonly string[]): Promise<WebhookAddress> {
  const { server } = RED as { readonly server?: Server };
  const bound = server?.address();
  // A server on a Unix socket has no port. Devices reach such a server through a proxy, usually at port 80.
  const { address = '', port = typeof bound === 'string' ? 80 : Number(RED.settings.uiPort) || 1880 } =
    typeof bound === 'object' && bound !== null ? bound : {};
  const isLocal = isLoopback(normalAddress(address));
  const { node: root } = rootsIn(RED);
  const own = isLocal || !['', '::', '0.0.0.0'].includes(address) ? address : await reachable(targets);
  return {
    host: isIPv6(own) ? `[${own}]` : own,
    port,
    secure: server !== undefined && 'setSecureContext' in server,
    ...(root !== false && { root: root.replace(/\/$/, '') }),
    isLocal,
  };
}

/**
 * Returns the local address on the route to the first of `maxRoutes` devices that has a route. If no device
 * has a route, returns an external address of this computer, or else `127.0.0.1`.
 */
async function reachable(targets: readonly string[]): Promise<string> {
  const hosts = targets.length === 0 ? [] : hostsIn(targets).slice(0, maxRoutes);
  const addresses = new HostAddresses();
  await addresses.refresh(hosts);
  for (const host of hosts) {
    const [to] = isIP(host) ? [host] : addresses.of(host);
    const from = to === undefined ? undefined : await routeTo(to);
    if (from !== undefined) return normalAddress(from);
  }
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const outside = all.filter(({ internal }) => !internal);
  return (outside.find(({ family }) => family === 'IPv4') ?? outside[0])?.address ?? '127.0.0.1';
}

function routeTo(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const finish = (found: string | undefined) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => {});
      socket.close();
      resolve(found);
    };
    const timer = setTimeout(() => finish(undefined), routeLimitMs);
    socket.on('error', () => finish(undefined));
    socket.connect(9, address, () => finish(socket.address().address));
  });
}
