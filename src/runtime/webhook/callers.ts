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

type Lookup = (host: string) => Promise<readonly string[]>;

const lookupAll: Lookup = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};

interface KnownHost {
  readonly addresses: readonly string[];
  readonly at: number;
}

export class HostAddresses {
  readonly #known = new Map<string, KnownHost>();
  readonly #waiting = new Map<string, Promise<void>>();
  #queue: (() => Promise<void>)[] = [];
  #running = 0;
  revision = 0;

  constructor(
    private readonly lookup: Lookup = lookupAll,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {}

  of(host: string): readonly string[] {
    return isAddress(host) ? [host] : (this.#known.get(host)?.addresses ?? []);
  }

  /**
   * Looks up the names whose addresses are unknown or out of date.
   * @returns a promise that resolves when each unknown name was looked up, at the latest after `maxWaitMs`;
   * undefined if no name is unknown
   */
  refresh(hosts: Iterable<string>): Promise<unknown> | undefined {
    const first: Promise<void>[] = [];
    const since = this.clock.monotonic() - freshMs;
    const unknown: string[] = [];
    for (const host of hosts) {
      if (isAddress(host)) continue;
      const known = this.#known.get(host);
      if (known && known.at > since) continue;
      const looking = this.#waiting.get(host) ?? this.#look(host);
      if (known) continue;
      first.push(looking);
      unknown.push(host);
    }
    if (first.length === 0) return undefined;
    return new Promise<void>((resolve) => {
      const cancel = this.clock.after(maxWaitMs, () => {
        // After the wait, further requests do not wait for the same names again.
        for (const host of unknown) if (!this.#known.has(host)) this.#record(host, []);
        resolve();
      });
      void Promise.all(first).then(() => {
        cancel();
        resolve();
      });
    });
  }

  #look(host: string): Promise<void> {
    const looking = new Promise<void>((resolve) => {
      this.#queue.push(async () => {
        // After a failed lookup, a name keeps its known addresses.
        const found = await this.lookup(host).catch(() => this.of(host));
        this.#record(host, found.map(normalAddress));
        this.#waiting.delete(host);
        resolve();
      });
    });
    this.#waiting.set(host, looking);
    this.#next();
    return looking;
  }

  #record(host: string, addresses: readonly string[]): void {
    if (this.of(host).join() !== addresses.join()) this.revision += 1;
    this.#known.set(host, { addresses, at: this.clock.monotonic() });
  }

  #next(): void {
    while (this.#running < maxLookups) {
      const [task] = this.#queue.splice(0, 1);
      if (!task) return;
      this.#running += 1;
      void task().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }
}

const lookThroughMs = 1_000;

export class Callers {
  #index = new Map<string, Device>();
  #hosts: ReadonlySet<string> = new Set();
  #builtFor = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  #waiting: Promise<unknown> | undefined;

  /** @param from ids of devices, `group:` with an id, or `tag:` with a tag; empty for all devices */
  constructor(
    private readonly from: readonly string[],
    private readonly addresses: HostAddresses,
    private readonly clock: Pick<Clock, 'monotonic'> = realClock,
  ) {}

  /**
   * Returns the device at an address; undefined if there is none. If several devices have the address,
   * returns the first by name. Returns a promise if the address is unknown and the first lookup of a host
   * name is still running.
   * @param address in the form of `normalAddress`
   */
  find(address: string): Device | undefined | Promise<Device | undefined> {
    this.prepare();
    const found = this.#index.get(address);
    if (found || !this.#waiting) return found;
    return this.#waiting.then(() => {
      this.#build();
      return this.#index.get(address);
    });
  }

  prepare(): void {
    const isNew = this.#build();
    const now = this.clock.monotonic();
    if (!isNew && now - this.#lookedAt < lookThroughMs) return;
    this.#lookedAt = now;
    const looking = this.addresses.refresh(this.#hosts);
    if (!looking) return;
    const waiting = looking.finally(() => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    });
    this.#waiting = waiting;
  }

  #build(): boolean {
    const version = `${registryVersion()} ${this.addresses.revision}`;
    if (this.#builtFor === version) return false;
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
    return true;
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
