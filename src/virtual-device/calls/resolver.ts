import type { Address, Lookup } from './address';

interface Asker {
  resolve(addresses: readonly Address[]): void;
  reject(reason: unknown): void;
}

const resolvers = new WeakMap<Lookup, Resolver>();

export function resolverOf(lookup: Lookup): Resolver {
  const known = resolvers.get(lookup);
  if (known) return known;
  const resolver = new Resolver(lookup);
  resolvers.set(lookup, resolver);
  return resolver;
}

/**
 * Resolves one name at a time. A lookup of the system occupies a thread of the process until the lookup ends,
 * even if no call waits for the result. All other lookups of the process need these threads too.
 */
class Resolver {
  readonly #lookup: Lookup;
  /**
   * Waiting calls, keyed by name, in the order of the lookups. The lookup of the first name might be running.
   */
  readonly #askers = new Map<string, Set<Asker>>();
  #underway: string | undefined;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /**
   * Rejects with the error of the lookup, or with the reason of the signal. All calls for one name share a
   * lookup.
   */
  resolve(name: string, signal: AbortSignal): Promise<readonly Address[]> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const asker = { resolve, reject };
      const askers = this.#askers.get(name) ?? new Set();
      this.#askers.set(name, askers.add(asker));
      const leave = (): void => {
        askers.delete(asker);
        if (askers.size === 0 && this.#underway !== name) this.#askers.delete(name);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    const [[name, askers] = []] = this.#askers;
    if (this.#underway !== undefined || name === undefined || !askers) return;
    this.#underway = name;
    try {
      const addresses = await this.#lookup(name);
      for (const asker of askers) asker.resolve(addresses);
    } catch (error) {
      for (const asker of askers) asker.reject(error);
    }
    this.#underway = undefined;
    this.#askers.delete(name);
    void this.#next();
  }
}
