import { isIPv4 } from 'node:net';

/** Whether a host as written is `localhost`, an address of 127.0.0.0/8 or `::1`. Names are not looked up. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
