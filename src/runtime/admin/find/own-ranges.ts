import os from 'node:os';
import { addressOf, edges, isPrivate, mostAddresses } from './range';

/** Around an address whose network is larger than what is searched at once. */
const usualPrefix = 24;

/** The private networks that this computer is in, as ranges to search: of a large one the part around its address. */
export function ownRanges(interfaces = os.networkInterfaces()): string[] {
  const own = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .flatMap(({ cidr }) => rangeAround(cidr ?? ''));
  return [...new Set(own)];
}

function rangeAround(cidr: string): string[] {
  const [address = '', prefix = ''] = cidr.split('/');
  const whole = edges(cidr);
  if (!whole || whole.first === whole.last) return [];
  const isLarge = whole.last - whole.first >= mostAddresses;
  const shown = isLarge ? usualPrefix : Number(prefix);
  const part = edges(`${address}/${shown}`);
  return part && isPrivate(part) ? [`${addressOf(part.first)}/${shown}`] : [];
}
