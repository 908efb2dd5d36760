import { isUnresolved, listOf } from '../../kernel/property';
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

export interface SiteSettings {
  readonly site: string;
  readonly rank: number;
  readonly prefix: string;
  readonly allow: readonly string[];
  readonly alerts: readonly string[];
}

export function readKey(key: unknown): string | undefined | { readonly wrong: string } {
  const text = typeof key === 'string' ? key.trim() : '';
  if (text === '') return undefined;
  if (/^[\w-]{43}$/.test(text)) return text;
  return { wrong: "The key of a site has 43 characters: copy it from the centre's node" };
}

export function readSecret(secret: unknown): string | undefined {
  return (typeof secret === 'string' && secret.trim()) || undefined;
}

const defaultPrefix = 'algo/v2';
const defaultAllow = ['emergency', 'strobe', 'screen', 'tone'];

export function readSite({ site, rank, prefix, allow, alerts }: SiteProperties): SiteSettings | string {
  const name = String(site ?? '').trim();
  if (!isLevel(name) || isUnresolved(name) || name === '*') {
    return `A site needs a name of up to 128 bytes without "/", "+" and "#"; it is "${name.slice(0, 80)}"`;
  }
  const number = rank === undefined || rank === '' ? 0 : Number(rank);
  if (!Number.isSafeInteger(number) || number < 0) {
    return `The rank of a site must be a whole number from 0; it is ${String(rank).slice(0, 80)}`;
  }
  const topic = readPrefix(prefix);
  if (typeof topic !== 'string') return topic.wrong;
  const isUsual = allow === undefined || allow === null;
  return {
    site: name,
    rank: number,
    prefix: topic,
    allow: isUsual ? defaultAllow : listOf(allow),
    alerts: listOf(alerts),
  };
}

export function readPrefix(prefix: unknown): string | { readonly wrong: string } {
  const text: string = String(prefix ?? '').trim() || defaultPrefix;
  const shown = text.slice(0, 80);
  if (isPrefix(text)) return text;
  return { wrong: `The prefix of the topics must be words with "/" between them; it is "${shown}"` };
}
