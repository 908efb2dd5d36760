import { lookup } from 'node:dns/promises';
import { isIPv4, isIPv6 } from 'node:net';
import { type Clock, realClock } from '../../time/clock';
import type { Device } from '../device/device';
import {
  byName,
  deviceById,
  devicesTagged,
  everyDevice,
  groupById,
  registryVersion,
} from '../device/registry';

/** A virtual device runs on this computer and calls from these addresses. */
const loopback: readonly string[] = ['127.0.0.1', '::1'];

const freshMs = 60_000;

/** Maximum time for which a request waits for the first lookup of host names, in milliseconds. */
const maxWaitMs = 2_000;

/**
 * Maximum number of parallel lookups. Each lookup takes a thread of the pool that also reads and writes
 * files.
 */
const maxLookups = 2;

async function lookupAll(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

interface KnownHost {
  readonly addresses: readonly string[];
  readonly at: number;
}

interface Lookup {
  readonly host: string;
  readonly end: () => void;
}

/** The addresses of host names, each looked up again after a minute, while it is asked for. */
export class HostAddresses {
  readonly #known = new Map<string, KnownHost>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #queue: Lookup[] = [];
  #running = 0;
  revision = 0;

  constructor(
    private readonly lookup = lookupAll,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {}

  /** Returns the last known addresses of a host name; none until it was looked up. */
  of(host: string): readonly string[] {
    return isAddress(host) ? [host] : (this.#known.get(host)?.addresses ?? []);
  }

  /**
   * Looks up the names whose addresses are unknown or out of date.
   * @param isFirst whether these names precede all names that wait
   * @returns a promise that resolves when all were looked up, or after `maxWaitMs`; undefined if all are known
   */
  refresh(hosts: Iterable<string>, isFirst = false): Promise<void> | undefined {
    const since = this.clock.monotonic() - freshMs;
    const waiting = [...hosts].flatMap((host) => {
      const looking = this.#looking.get(host);
      if (looking) return looking;
      const isKnown = isAddress(host) || (this.#known.get(host)?.at ?? Number.NEGATIVE_INFINITY) > since;
      return isKnown ? [] : this.#look(host, isFirst);
    });
    if (waiting.length === 0) return undefined;
    return new Promise((resolve) => {
      const cancel = this.clock.after(maxWaitMs, resolve);
      void Promise.all(waiting).then(() => {
        cancel();
        resolve();
      });
    });
  }

  #look(host: string, isFirst: boolean): Promise<void> {
    const looking = new Promise<void>((end) => {
      this.#queue[isFirst ? 'unshift' : 'push']({ host, end });
    });
    this.#looking.set(host, looking);
    if (this.#running < maxLookups) void this.#work();
    return looking;
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const { host, end } = next;
      // After a failed lookup, a name keeps its known addresses.
      const known = this.of(host);
      const addresses = (await this.lookup(host).catch(() => known)).map(normalAddress);
      if (addresses.join() !== known.join()) this.revision += 1;
      this.#known.set(host, { addresses, at: this.clock.monotonic() });
      this.#looking.delete(host);
      end();
    }
    this.#running -= 1;
  }
}

export class Callers {
  #index = new Map<string, Device>();
  #hosts: ReadonlySet<string> = new Set();
  #builtFor = '';

  /** @param from ids of devices, `group:` with an id, or `tag:` with a tag; empty for all devices */
  constructor(
    private readonly from: readonly string[],
    private readonly addresses: HostAddresses,
  ) {}

  /**
   * Returns the device at an address; undefined if there is none. If several devices have the address,
   * returns the first by name.
   * @param address in the form of `normalAddress`
   */
  find(address: string): Device | undefined {
    this.#build();
    return this.#index.get(address);
  }

  /** Looks up host names; returns a promise as `HostAddresses.refresh` does. */
  refresh(): Promise<void> | undefined {
    this.#build();
    return this.addresses.refresh(this.#hosts, this.from.length > 0);
  }

  #build(): void {
    const version = `${registryVersion()} ${this.addresses.revision}`;
    if (this.#builtFor === version) return;
    this.#builtFor = version;
    this.#index = new Map();
    const hosts = new Set<string>();
    for (const device of [...devicesIn(this.from)].sort(byName)) {
      const host = hostOf(device);
      if (host !== undefined) hosts.add(host);
      const addresses = host === undefined ? (isVirtual(device) ? loopback : []) : this.addresses.of(host);
      for (const address of addresses) if (!this.#index.has(address)) this.#index.set(address, device);
    }
    this.#hosts = hosts;
  }
}

export function hostsIn(from: readonly string[]): readonly string[] {
  return [...devicesIn(from)].flatMap((device) => hostOf(device) ?? (isVirtual(device) ? '127.0.0.1' : []));
}

function devicesIn(from: readonly string[]): Set<Device> {
  if (from.length === 0) return new Set(everyDevice());
  return new Set(
    from.flatMap((one) => {
      if (one.startsWith('tag:')) return devicesTagged(one.slice('tag:'.length).trim());
      if (!one.startsWith('group:')) return deviceById(one) ?? [];
      const group = groupById(one.slice('group:'.length).trim());
      return group?.members.flatMap(({ device }) => device ?? []) ?? [];
    }),
  );
}

function isVirtual(device: Device): boolean {
  return device.url === undefined && device.where !== undefined;
}

function hostOf({ url }: Device): string | undefined {
  return url === undefined ? undefined : normalAddress(new URL(url).hostname);
}

function isAddress(host: string): boolean {
  return isIPv4(host) || isIPv6(host);
}

/** Returns an address in normalized form: IPv6 without brackets and zone, IPv4 without `::ffff:`. */
export function normalAddress(address: string): string {
  const [bare = ''] = address.replace(/^\[|\]$/g, '').split('%', 1);
  if (!isIPv6(bare)) return bare.toLowerCase();
  const whole = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(whole) ?? [];
  if (high === undefined || low === undefined) return whole;
  const parts = [high, low].flatMap((part) => {
    const number = Number.parseInt(part, 16);
    return [number >> 8, number & 255];
  });
  return parts.join('.');
}

/** @param address in the form of `normalAddress` */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^127\./.test(address);
}
