import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

const upgradeHeaders = ['upgrade', 'http2-settings'];

/**
 * From this length of `rawHeaders`, Node can have dropped headers, also the header with the length of the
 * body.
 */
const maxRawHeaders = 2000;

/**
 * One function for all requests: a separate listener for each request would keep the request in memory as
 * long as the connection.
 */
const ignore = () => {};

/**
 * Maximum number of requests for another protocol on one connection. Each such request can leave a listener
 * at the socket.
 */
const maxPerConnection = 5;

const counts = new WeakMap<Socket, number>();

/**
 * Serves a request that asks for another protocol as an ordinary request, which HTTP allows. Closes the
 * connection if headers were dropped, or if an earlier answer on the connection is incomplete.
 * @param head the first bytes after the headers
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  // Without a listener, an error of a broken connection would end Node-RED.
  if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
  const isUnclear = request.rawHeaders.length >= maxRawHeaders || isAnswering(socket);
  // Continues at the end of this turn of the event loop, so that other listeners can use the socket first.
  const { bytesWritten } = socket;
  setImmediate(() => {
    const listeners = socket.listenerCount('data') + socket.listenerCount('readable');
    if (socket.destroyed || listeners > 0) return;
    if (isUnclear) return socket.destroySoon();
    if (socket.bytesWritten > bytesWritten) return;
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    socket.unshift(Buffer.concat([headOf(request, count >= maxPerConnection), head]));
    server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', socket);
  });
}

/**
 * Whether an earlier request of this connection has no complete answer yet. Node stores the incomplete answer
 * in `_httpMessage`.
 */
function isAnswering(socket: Socket & { readonly _httpMessage?: unknown }): boolean {
  return Boolean(socket._httpMessage);
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage, isLast: boolean): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const kept = name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value;
    if (!upgradeHeaders.includes(name.toLowerCase())) lines.push(`${name}: ${kept}`);
  }
  if (isLast) lines.push('Connection: close');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !upgradeHeaders.includes(option.toLowerCase())).join(', ');
}
