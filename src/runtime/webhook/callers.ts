import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { backgroundClock, type Clock } from '../../kernel/time/clock';
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

/** Maximum time for which a request waits for lookups of host names, in milliseconds. */
const maxWaitMs = 2_000;

async function lookupAll(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => normalAddress(address));
}

/**
 * The addresses of host names. One name is looked up at a time, since a lookup takes a thread of the pool that
 * also reads and writes files.
 */
export class HostAddresses {
  readonly #known = new Map<string, { readonly addresses: readonly string[]; readonly at: number }>();
  #lookups: Promise<void> = Promise.resolve();
  /** Changes with the addresses. */
  revision = 0;

  constructor(
    private readonly lookup = lookupAll,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = backgroundClock,
  ) {}

  /** Returns the last known addresses of a host name; none until it was looked up. */
  of(host: string): readonly string[] {
    return isIP(host) ? [host] : (this.#known.get(host)?.addresses ?? []);
  }

  /**
   * Looks up the names that are unknown, or were looked up more than a minute ago.
   * @returns a promise that resolves when no name waits any more, or after `maxWaitMs`
   */
  refresh(names: Iterable<string>): Promise<void> {
    const now = this.clock.monotonic();
    for (const name of names) {
      if (isIP(name) || now - (this.#known.get(name)?.at ?? Number.NEGATIVE_INFINITY) < freshMs) continue;
      this.#known.set(name, { addresses: this.of(name), at: Number.POSITIVE_INFINITY });
      this.#lookups = this.#lookups.then(() => this.#lookUp(name));
    }
    return new Promise((resolve) => {
      const cancel = this.clock.after(maxWaitMs, resolve);
      void this.#lookups.then(cancel).then(resolve);
    });
  }

  async #lookUp(name: string): Promise<void> {
    const known = this.of(name);
    // After a failed lookup, a name keeps its known addresses.
    const addresses = await this.lookup(name).catch(() => known);
    if (addresses.join() !== known.join()) this.revision += 1;
    this.#known.set(name, { addresses, at: this.clock.monotonic() });
  }
}

/** The host names of devices that may call do not wait for the names of all devices. */
const ofListed = new HostAddresses();
const ofAll = new HostAddresses();

export class Callers {
  readonly #addresses: HostAddresses;
  readonly #index = new Map<string, Device>();
  readonly #hosts = new Set<string>();
  #builtFor = '';

  /** @param from ids of devices, `group:` with an id, or `tag:` with a tag; undefined for all devices */
  constructor(private readonly from: readonly string[] | undefined) {
    this.#addresses = from ? ofListed : ofAll;
  }

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
  refresh(): Promise<void> {
    this.#build();
    return this.#addresses.refresh(this.#hosts);
  }

  #build(): void {
    const version = `${registryVersion()} ${this.#addresses.revision}`;
    if (this.#builtFor === version) return;
    this.#builtFor = version;
    this.#index.clear();
    this.#hosts.clear();
    for (const device of [...devicesIn(this.from)].sort(byName))
      for (const host of hostsOf(device)) {
        if (!isIP(host)) this.#hosts.add(host);
        for (const address of this.#addresses.of(host))
          if (!this.#index.has(address)) this.#index.set(address, device);
      }
  }
}

export function hostsIn(from: readonly string[]): readonly string[] {
  return [...devicesIn(from)].flatMap(hostsOf);
}

function devicesIn(from: readonly string[] | undefined): Iterable<Device> {
  if (!from) return everyDevice();
  return new Set(
    from.flatMap((one) => {
      if (one.startsWith('tag:')) return devicesTagged(one.slice('tag:'.length).trim());
      if (!one.startsWith('group:')) return deviceById(one) ?? [];
      const group = groupById(one.slice('group:'.length).trim());
      return group?.members.flatMap(({ device }) => device ?? []) ?? [];
    }),
  );
}

function hostsOf({ url, where }: Device): readonly string[] {
  if (url !== undefined) return [normalAddress(new URL(url).hostname)];
  return where === undefined ? [] : loopback;
}

/** Returns an address without the brackets and the zone of IPv6, and an IPv4 address without `::ffff:`. */
export function normalAddress(address: string): string {
  const [bare = ''] = address.replace(/^\[|\]$/g, '').split('%', 1);
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** @param address in the form of `normalAddress` */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^127\./.test(address);
}
