import { localizedPhrase } from '../../catalogue/localized-message';
import {
  isUnresolved,
  listOf,
  number,
  PropertyFinding,
  type PropertyValues,
  property,
  readProperties,
} from '../../kernel/property';
import { isLevel, isPrefix } from '../../sites/wire';

/**
 * The stored properties of an `algo-site`, after Node-RED has replaced `${ENV}`. Each value can have any
 * type.
 */
export interface SiteProperties {
  readonly broker?: unknown;
  readonly site?: unknown;
  readonly rank?: unknown;
  readonly prefix?: unknown;
  readonly allow?: unknown;
  readonly alerts?: unknown;
}

export function readKey(key: unknown): string | undefined | PropertyFinding {
  const text = typeof key === 'string' ? key.trim() : '';
  if (text === '') return undefined;
  if (/^[\w-]{43}$/.test(text)) return text;
  return new PropertyFinding('key', "The key of a site has 43 characters: copy it from the centre's node");
}

export function readSecret(secret: unknown): string | undefined {
  return (typeof secret === 'string' && secret.trim()) || undefined;
}

export const readPrefix = property(
  (given) => (isPrefix(String(given)) ? String(given) : undefined),
  localizedPhrase('topicPrefix'),
  { empty: 'algo/v2', isTrimmed: true },
);

const readers = {
  site: property(siteName, localizedPhrase('siteName'), { isTrimmed: true }),
  rank: number({ least: 0, isWhole: true, empty: 0, isTrimmed: true }),
  prefix: readPrefix,
  allow: listOf,
  alerts: listOf,
};

export type SiteSettings = PropertyValues<typeof readers>;

export function readSite(properties: SiteProperties): SiteSettings | PropertyFinding {
  const allow = properties.allow ?? ['emergency', 'strobe', 'screen', 'tone'];
  return readProperties(readers, { ...properties, allow });
}

function siteName(given: unknown): string | undefined {
  const name = String(given ?? '').trim();
  return isLevel(name) && name !== '*' && !isUnresolved(name) ? name : undefined;
}
