import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** An address of a host. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Resolves a name to all of its addresses; rejects if there are none. */
export type Lookup = (name: string) => Promise<readonly Address[]>;

/** Resolves a name as the system does. */
export const systemLookup: Lookup = (name) => lookup(name, { all: true });

/** Returns the addresses of a host, which can be an address itself. */
export async function addressesOf(host: string, find: Lookup): Promise<readonly Address[]> {
  const family = isIP(host);
  return family === 0 ? find(host) : [{ address: host, family }];
}

/** `::1`, and 127/8 in IPv6, as a URL writes them. */
const loopback6 = /^\[::(?:1|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]$/;

/**
 * Whether an address always leads to this computer alone: 127/8, `::1`, and 127/8 mapped to IPv6. `0.0.0.0`
 * and `::` do not: they are no addresses of a target.
 */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return address.startsWith('127.');
  // A URL has one spelling for each address. An address with a zone is none of a URL.
  const written = `http://[${address}]`;
  return family === 6 && URL.canParse(written) && loopback6.test(new URL(written).hostname);
}
