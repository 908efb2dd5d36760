import { deadAfterMs } from './roster';
import { resultLastsSeconds, type StateMessage } from './wire';

/** Which sites the centre has heard, and when each of their instances. */
export class Heard {
  readonly #sites = new Map<string, Map<string, number>>();

  get sites(): readonly string[] {
    return [...this.#sites.keys()].sort();
  }

  hear(site: string, { instance, leaving }: StateMessage, now: number): void {
    const instances = this.#sites.get(site) ?? new Map<string, number>();
    this.#sites.set(site, instances);
    if (leaving) instances.delete(instance);
    else instances.set(instance, now);
    for (const [one, at] of instances) if (now - at > resultLastsSeconds * 1_000) instances.delete(one);
  }

  /** The instances of a site that live. */
  living(site: string, now: number): string[] {
    const heard = [...(this.#sites.get(site) ?? [])].filter(([, at]) => now - at < deadAfterMs);
    return heard.map(([instance]) => instance);
  }

  /** When each instance of a site was heard last. */
  momentsOf(site: string): Iterable<number> {
    return this.#sites.get(site)?.values() ?? [];
  }
}
