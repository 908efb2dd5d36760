import { isIPv4 } from 'node:net';
import os from 'node:os';

export interface AddressRange {
  readonly first: number;
  readonly last: number;
  readonly port?: number;
}

type RangeFault = 'unreadable' | 'public' | 'large';

export const maxAddresses = 1024;

const maxTextLength = 60;

const privateBlocks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8'];

/**
 * Parses `10.0.0.0/24`, `10.0.0.1-10.0.0.50`, `10.0.0.1-50` or a single address, each with an optional
 * `:port`. Returns the reason if the text is not a range that may be searched. In a network of more than two
 * addresses, the network address and the broadcast address are left out.
 */
export function readRange(text: unknown): AddressRange | RangeFault {
  const given = String(text ?? '').replaceAll(' ', '');
  if (given.length > maxTextLength) return 'unreadable';
  const [addresses = '', port, ...rest] = given.split(':');
  if (rest.length > 0 || (port !== undefined && !isPort(port))) return 'unreadable';
  const range = addresses.includes('/') ? network(addresses) : between(addresses);
  if (!range || range.last < range.first) return 'unreadable';
  if (!isPrivate(range)) return 'public';
  if (range.last - range.first >= maxAddresses) return 'large';
  return port === undefined ? range : { ...range, port: Number(port) };
}

export function* addressesIn({ first, last }: AddressRange): Generator<string, void> {
  for (let one = first; one <= last; one += 1) yield addressOf(one);
}

export function isPrivate({ first, last }: AddressRange): boolean {
  return privateBlocks.some((block) => {
    const range = edges(block);
    return range !== undefined && first >= range.first && last <= range.last;
  });
}

export function numberOf(address: string): number | undefined {
  if (!isIPv4(address)) return undefined;
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function addressOf(number: number): string {
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');
}

export function edges(text: string): AddressRange | undefined {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const number = numberOf(address);
  if (number === undefined || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32 || rest.length > 0)
    return undefined;
  const size = 2 ** (32 - Number(prefix));
  const first = number - (number % size);
  return { first, last: first + size - 1 };
}

function network(text: string): AddressRange | undefined {
  const whole = edges(text);
  if (!whole || whole.last - whole.first < 2) return whole;
  return { first: whole.first + 1, last: whole.last - 1 };
}

function between(text: string): AddressRange | undefined {
  const [from = '', to = from, ...rest] = text.split(/[-–]/);
  const first = numberOf(from);
  if (first === undefined || rest.length > 0) return undefined;
  const isLastPart = /^\d{1,3}$/.test(to) && Number(to) <= 255;
  const last = isLastPart ? first - (first % 256) + Number(to) : numberOf(to);
  return last === undefined ? undefined : { first, last };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

const defaultPrefix = 24;

/**
 * Returns the private networks of this machine as ranges to search. For a network that is too large for one
 * search, returns the /24 network that contains the machine's address.
 */
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
  const isLarge = whole.last - whole.first >= maxAddresses;
  const shown = isLarge ? defaultPrefix : Number(prefix);
  const part = edges(`${address}/${shown}`);
  return part && isPrivate(part) ? [`${addressOf(part.first)}/${shown}`] : [];
}
