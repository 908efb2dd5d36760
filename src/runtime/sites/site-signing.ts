import { keyOfSite, Signing } from '../../sites/signing';

export function signingOf(prefix: string, keyOf: (site: string) => string | undefined): Signing {
  return new Signing({ prefix, keyOf, wall: () => Date.now(), monotonic: () => performance.now() });
}

const maxKeys = 10_000;

export function keysOf(secret: string): (site: string) => string | undefined {
  const keys = new Map<string, string>();
  return (site) => {
    const key = keys.get(site) ?? keyOfSite(secret, site);
    if (keys.size < maxKeys) keys.set(site, key);
    return key;
  };
}
