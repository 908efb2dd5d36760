import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Headers that ask for another protocol. */
const upgradeHeaders = ['upgrade', 'http2-settings'];

/**
 * Serves a request that asks for another protocol as if it did not ask, which HTTP allows. Node gives such a request to
 * the listeners for upgrades alone. A socket that one of them takes in the same turn stays with it.
 * @param head the first bytes after the headers
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  // A connection that breaks must not end Node-RED.
  socket.on('error', () => {});
  // Other listeners might come after this one.
  const { bytesWritten } = socket;
  setImmediate(() => {
    const listeners = socket.listenerCount('data') + socket.listenerCount('readable');
    if (socket.destroyed || listeners > 0 || socket.bytesWritten > bytesWritten) return;
    socket.unshift(Buffer.concat([headOf(request), head]));
    server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', socket);
  });
}

/** Returns the head of a request as it came, without the wish for another protocol. */
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
