import net from 'node:net';
import os from 'node:os';

/** Whether only this machine can reach an address. */
export function isLoopback(host) {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/** Returns a URL for a browser, for a host that Node-RED listens on. */
export function urlOf(host, port) {
  const name = isAnyAddress(host) ? firstAddress() : host;
  return `http://${net.isIPv6(name) ? `[${name}]` : name}:${port}`;
}

/** Resolves if a server could listen on the port now; rejects with an error that has a `code`. */
export function tryToListen(host, port) {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(resolve));
  });
}

/** Returns an error that explains in one sentence why the port is not available, and what to do. */
export function listenFailure({ code, message }, { host, port, command = 'npm start' }) {
  const another = `choose another one: ${command} -- --port ${port === 1881 ? 1882 : 1881}`;
  if (code === 'EADDRINUSE') return new Error(`Port ${port} on ${host} is already in use; ${another}`);
  if (code === 'EACCES') return new Error(`Port ${port} is kept for administrators; ${another}`);
  return new Error(
    `Cannot listen on ${host} (${code ?? message}); leave --host out, or use --host 0.0.0.0 for every address`,
  );
}

function isAnyAddress(host) {
  return host === '0.0.0.0' || host === '::';
}

function firstAddress() {
  const all = Object.values(os.networkInterfaces()).flat();
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}
