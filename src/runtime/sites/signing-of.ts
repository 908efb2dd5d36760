import { keyOfSite, Signing } from '../../sites/signing';

/** Creates the signing for all topics below a prefix, with the clocks of this machine. */
export function signingOf(prefix: string, keyOf: (site: string) => string | undefined): Signing {
  return new Signing({ prefix, keyOf, wall: () => Date.now(), monotonic: () => performance.now() });
}

/** Maximum number of sites whose keys are cached. */
const maxKeys = 10_000;

/** Returns a function that computes the key of a site, with a cache. */
export function keysOf(secret: string): (site: string) => string | undefined {
  const keys = new Map<string, string>();
  return (site) => {
    const key = keys.get(site) ?? keyOfSite(secret, site);
    if (keys.size < maxKeys) keys.set(site, key);
    return key;
  };
}
