import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

const upgradeHeaders = ['upgrade', 'http2-settings'];

/**
 * Serves a request that asks for another protocol as an ordinary request, which HTTP allows. Node passes such
 * a request only to the listeners for upgrades.
 * If another listener uses the socket in the same turn, the socket is left to that listener.
 * @param head the first bytes after the headers
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  // Without a listener, an error of a broken connection would end Node-RED.
  socket.on('error', () => {});
  // Listeners that run later in this turn must be able to use the socket first.
  const { bytesWritten } = socket;
  setImmediate(() => {
    const listeners = socket.listenerCount('data') + socket.listenerCount('readable');
    if (socket.destroyed || listeners > 0 || socket.bytesWritten > bytesWritten) return;
    socket.unshift(Buffer.concat([headOf(request), head]));
    server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', socket);
  });
}

/** Returns the head of a request as received, without the headers for another protocol. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const kept = name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value;
    if (!upgradeHeaders.includes(name.toLowerCase())) lines.push(`${name}: ${kept}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !upgradeHeaders.includes(option.toLowerCase())).join(', ');
}
