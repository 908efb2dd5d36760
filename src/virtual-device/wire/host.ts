import { isIP, isIPv4 } from 'node:net';
import { hostname } from 'node:os';

/** A host and an optional port; the host is an IPv6 address in brackets or any other text. */
const hostAndPort = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d*)?$/;

/**
 * Whether the `Host` of a request means this computer. Any web page can let its own name lead to this
 * computer (DNS rebinding). A name is therefore accepted only if the name belongs to this computer. A device
 * that listens for other computers also accepts each name without a dot, such as the name of a container.
 * @param host undefined if the request has no `Host`; such a request does not come from a browser
 * @param listenHost the address or name on which the device listens
 */
export function isOwnHost(host: string | undefined, listenHost: string): boolean {
  if (host === undefined) return true;
  const [, address, name] = hostAndPort.exec(host.toLowerCase()) ?? [];
  if (name === undefined) return isIP(address ?? '') === 6;
  const machine = hostname().toLowerCase();
  const own = ['', 'localhost', listenHost.toLowerCase(), machine, `${machine}.local`];
  const isShort = !name.includes('.') && !isLoopback(listenHost);
  return isIP(name) === 4 || isShort || name.endsWith('.localhost') || own.includes(name);
}

/** Whether a host as written is `localhost`, an address of 127.0.0.0/8 or `::1`. Names are not looked up. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
