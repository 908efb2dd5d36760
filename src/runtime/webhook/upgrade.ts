import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

const droppedHeaders = ['connection', 'upgrade', 'http2-settings'];

/**
 * Serves a request that asks for another protocol as an ordinary request, which HTTP allows, and closes the
 * connection after the answer. Closes the connection immediately if an earlier answer is incomplete.
 * @param head the first bytes after the headers
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Socket & { readonly _httpMessage?: unknown },
  head: Buffer,
): void {
  // Without a listener, an error of a broken connection would end Node-RED.
  socket.on('error', () => {});
  // Node stores an incomplete answer in `_httpMessage`.
  const isBusy = Boolean(socket._httpMessage);
  // Continues at the end of this turn of the event loop, so that other listeners can use the socket first.
  const { bytesWritten } = socket;
  setImmediate(() => {
    const listeners = socket.listenerCount('data') + socket.listenerCount('readable');
    if (socket.destroyed || listeners > 0) return;
    if (isBusy) return socket.destroySoon();
    if (socket.bytesWritten > bytesWritten) return;
    socket.unshift(Buffer.concat([headOf(request), head]));
    server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', socket);
  });
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!droppedHeaders.includes(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  lines.push('Connection: close');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
