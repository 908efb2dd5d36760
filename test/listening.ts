import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

const [high, middle, low] = [process.pid >> 16, (process.pid >> 8) & 255, process.pid & 255];

/**
 * An address of this machine that no other process uses. Whoever stops listening and comes back to the same port
 * does so here: at 127.0.0.1 a connection of somebody else may have got the port meanwhile.
 */
export const ownHost = `127.${64 + high}.${middle}.${low}`;

/**
 * Lets a server listen on a port of the machine's choice, or on this one. Resolves to `host:port`, and rejects when
 * the port cannot be had.
 */
export async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: chosen } = server.address() as AddressInfo;
  return family === 'IPv6' ? `[${address}]:${chosen}` : `${address}:${chosen}`;
}

/**
 * A port that nobody has, below those that a system gives to whoever asks for any: so nobody gets it before it is
 * used, nor while who had it is away.
 */
export async function quietPort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const isFree = await listen(server, port, host).then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await end(server);
    return port;
  }
}

/** Ends a server that speaks HTTP, with every connection to it. */
export async function end(server: HttpServer): Promise<void> {
  const closed = once(server, 'close');
  server.closeAllConnections();
  server.close();
  await closed;
}

/** A port that somebody else has until it is set free. */
export async function busyPort(
  host = '127.0.0.1',
): Promise<{ readonly port: number; readonly free: () => Promise<void> }> {
  const server = createServer();
  const port = await quietPort(host);
  await listen(server, port, host);
  return { port, free: () => end(server) };
}
