/** Of each site so many are remembered; the oldest of that site is forgotten for what comes then. */
const mostOfSite = 20_000;

/** What was heard last of one signer on one topic. All times are of a clock that never jumps, in milliseconds. */
export interface Heard {
  /** Each message of a signer has a higher number than the one before it. */
  readonly n: number;
  readonly heardAt: number;
  /** When its time is over, as it was told when it came first. */
  readonly until: number;
  /** From then on it is too old, and need not be remembered. */
  readonly keptUntil: number;
}

/** Which messages were heard before. A broker keeps the order, so what comes after a later one is played again. */
export class Repetitions {
  readonly #sites = new Map<string, Map<string, Heard>>();

  /** @returns what was heard before and is as late, or later; undefined where this one is new, and is remembered */
  note(site: string, key: string, message: Heard): Heard | undefined {
    const heard = this.#sites.get(site) ?? new Map<string, Heard>();
    this.#sites.set(site, heard);
    const known = heard.get(key);
    if (known && known.n >= message.n) return known;
    heard.delete(key);
    for (const [oldest, { keptUntil }] of heard) {
      if (keptUntil > message.heardAt && heard.size < mostOfSite) break;
      heard.delete(oldest);
    }
    heard.set(key, message);
    return undefined;
  }
}
