import { maxToleranceMs } from '../../client/signature-check';
import {
  choice,
  isUnresolved,
  listOf,
  PropertyFinding,
  type PropertyValues,
  readProperties,
  seconds,
  text,
} from '../../kernel/property';

export interface WebhookSettings {
  /** The decoded path including the root of Node-RED's HTTP nodes, without a slash at its end. */
  readonly path: string;
  readonly isRoot: boolean;
  readonly auth: PropertyValues<typeof readers>['auth'];
  /** The password or the token. If empty, no request is accepted, unless `auth` is `none`. */
  readonly password: string;
  readonly toleranceMs: number;
  /** Ids of devices, `group:` with an id, or `tag:` with a tag; undefined if any address may call. */
  readonly from: readonly string[] | undefined;
  readonly cooldownMs: number;
}

/** The root paths of Node-RED's HTTP nodes and of its editor; false if Node-RED does not serve these paths. */
export interface Roots {
  readonly node: string | false;
  readonly admin: string | false;
}

const readers = {
  path: readPath,
  auth: choice(['standard', 'basic', 'token', 'none'], { empty: 'standard' }),
  tolerance: seconds({ above: 0, most: maxToleranceMs / 1_000, empty: 30 }),
  from: readFrom,
  cooldown: seconds({ least: 0, most: 86_400, empty: 0 }),
};

/**
 * The stored properties of an `algo-webhook`, after Node-RED has replaced `${ENV}`. Each value can have any
 * type.
 */
export type WebhookProperties = { readonly [Name in keyof typeof readers]?: unknown };

export function readWebhook(
  properties: WebhookProperties,
  { id, password }: { readonly id: string; readonly password: unknown },
  roots: Roots,
): WebhookSettings | PropertyFinding {
  const wrong = (reason: string) => new PropertyFinding('path', reason);
  if (roots.node === false) return wrong('Node-RED serves no HTTP nodes, because httpNodeRoot is false');
  const read = readProperties(readers, properties);
  if (read instanceof PropertyFinding) return read;
  const { path: own = `/algo/${id}`, auth, from } = read;
  const path = `${rootOf(roots.node)}${own}`;
  const editor = roots.admin === false ? undefined : rootOf(roots.admin);
  if (own !== '' && editor !== undefined && isBelow(editor, path))
    return wrong(`the path ${path} would cover the editor; enter a path of its own`);
  return {
    path,
    isRoot: own === '',
    auth,
    password: auth === 'token' ? passwordOf(password).trim() : passwordOf(password),
    toleranceMs: read.tolerance,
    from,
    cooldownMs: read.cooldown,
  };
}

/** An environment variable can also be blank, or hold a value that is no text. */
function passwordOf(value: unknown): string {
  if (isUnresolved(value) || !['string', 'number'].includes(typeof value)) return '';
  const password = String(value);
  return password.trim() === '' ? '' : password;
}

const pathText = text({ isTrimmed: true, empty: undefined });

/** Returns the path below the root of the HTTP nodes, empty for the root itself, undefined for the default. */
function readPath(value: unknown, name: string): string | undefined | PropertyFinding {
  const written = pathText(value, name);
  if (typeof written !== 'string') return written;
  const path = rootOf(written);
  if (/[?#\\\p{Cc}]/u.test(path))
    return new PropertyFinding(name, 'its path contains a query, a backslash or a control character');
  if (/\/\.{0,2}(?:\/|$)/.test(path))
    return new PropertyFinding(name, 'its path contains an empty segment, or a segment of dots');
  return path;
}

/** An empty text is a list without entries: an environment variable that is empty must not let everyone in. */
function readFrom(value: unknown): readonly string[] | undefined {
  const isAny = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return isAny ? undefined : listOf(value);
}

/** Decodes a path, adds a missing leading slash and removes trailing slashes. Returns an empty text for `/`. */
export function rootOf(root: string): string {
  const decoded = decodePath(root);
  let length = decoded.length;
  while (decoded[length - 1] === '/') length -= 1;
  const path = decoded.slice(0, length);
  return path === '' || path.startsWith('/') ? path : `/${path}`;
}

/** Decodes a path; returns a path with an invalid encoding as it is. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`);
}
