import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** An IP address; `family` is 4 or 6. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Resolves a name to all addresses of the name; rejects if the name has no address. */
export type Lookup = (name: string) => Promise<readonly Address[]>;

export const systemLookup: Lookup = (name) => lookup(name, { all: true });

const localhost: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export function ownAddressesOf(host: string): readonly Address[] | undefined {
  if (host === 'localhost') return localhost;
  const family = isIP(host);
  return family === 0 ? undefined : [{ address: host, family }];
}

/** `::1` and 127.0.0.0/8 mapped to IPv6, in the spelling of a URL. */
const loopback6 = /^\[::(?:1|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/;

/**
 * Whether an address always leads to this computer alone: 127/8, `::1`, and 127/8 mapped to IPv6. False for
 * `0.0.0.0` and `::`.
 */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return address.startsWith('127.');
  // The URL parser normalizes the spelling of an address and rejects an address with a zone.
  const written = `http://[${address}]`;
  return family === 6 && URL.canParse(written) && loopback6.test(new URL(written).hostname);
}

/** Returns an address in one spelling; an IPv4 address that is mapped to IPv6 as an IPv4 address. */
export function normalAddress(address: string): string {
  const written = `http://[${address}]`;
  if (isIP(address) !== 6 || !URL.canParse(written)) return address;
  const { hostname } = new URL(written);
  const [, ...mapped] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  if (mapped.length === 0) return hostname.slice(1, -1);
  const words = mapped.map((digits) => Number.parseInt(digits, 16));
  return words.flatMap((word) => [word >> 8, word & 255]).join('.');
}
