import { deadAfterMs, maxInstances } from './peer-registry';
import { resultLastsSeconds, type StateMessage } from './wire';

/** Maximum number of known sites. Heartbeats of further sites are ignored. */
const maxSites = 10_000;

/**
 * The sites from which the centre received heartbeats, and the time of the last heartbeat of each instance.
 */
export class InstanceRegistry {
  readonly #sites = new Map<string, Map<string, number>>();

  get sites(): readonly string[] {
    return [...this.#sites.keys()].sort();
  }

  /**
   * @returns whether the instance is alive and was unknown or dead before; false if there is no room to store
   * the instance
   */
  recordHeartbeat(site: string, { instance, leaving }: StateMessage, now: number): boolean {
    const instances = this.#sites.get(site) ?? new Map<string, number>();
    if (instances.size === 0 && this.#sites.size >= maxSites && !this.#sites.has(site)) return false;
    this.#sites.set(site, instances);
    const known = instances.get(instance);
    if (leaving) instances.delete(instance);
    else if (known === undefined && !hasRoom(instances, now)) return false;
    else instances.set(instance, now);
    for (const [one, at] of instances) if (now - at > resultLastsSeconds * 1_000) instances.delete(one);
    return !leaving && (known === undefined || now - known >= deadAfterMs);
  }

  living(site: string, now: number): string[] {
    const alive = [...(this.#sites.get(site) ?? [])].filter(([, at]) => now - at < deadAfterMs);
    return alive.map(([instance]) => instance);
  }

  lastHeartbeatsOf(site: string): Iterable<number> {
    return this.#sites.get(site)?.values() ?? [];
  }
}

/** If the site is full, removes a dead instance. */
function hasRoom(instances: Map<string, number>, now: number): boolean {
  if (instances.size < maxInstances) return true;
  for (const [one, at] of instances) if (now - at >= deadAfterMs) return instances.delete(one);
  return false;
}
