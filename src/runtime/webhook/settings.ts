import { maxToleranceMs } from '../../client/signature-check';
import { isUnresolved, listOf } from '../../kernel/property';
import { decodePath } from './path-table';

/**
 * The stored properties of an `algo-webhook`, after Node-RED has replaced `${ENV}`. Each value can have any
 * type.
 */
export interface WebhookProperties {
  readonly path?: unknown;
  readonly auth?: unknown;
  readonly tolerance?: unknown;
  readonly from?: unknown;
  readonly cooldown?: unknown;
}

export type WebhookAuth = 'standard' | 'basic' | 'token' | 'none';

export interface WebhookSettings {
  /** The decoded path including the root of Node-RED's HTTP nodes, without a slash at its end. */
  readonly path: string;
  readonly isRoot: boolean;
  readonly auth: WebhookAuth;
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

const auths = ['standard', 'basic', 'token', 'none'] as const;

const defaultTolerance = 30;
const maxTolerance = maxToleranceMs / 1000;
const maxCooldown = 86_400;

export function readWebhook(
  properties: WebhookProperties,
  { id, password }: { readonly id: string; readonly password: unknown },
  roots: Roots,
): WebhookSettings | string {
  if (roots.node === false) return 'Node-RED serves no HTTP nodes, because httpNodeRoot is false';
  const own = readPath(properties.path, id);
  if (own.wrong !== undefined) return own.wrong;
  const path = `${rootOf(roots.node)}${own.path}`;
  const editor = roots.admin === false ? undefined : rootOf(roots.admin);
  if (own.path !== '' && editor !== undefined && isBelow(editor, path)) {
    return `the path ${path} would cover the editor; enter a path of its own`;
  }
  const auth = auths.find((one) => one === (properties.auth || auths[0]));
  if (!auth) return `its auth must be one of ${auths.join(', ')}`;
  const tolerance = secondsOf(properties.tolerance, defaultTolerance, maxTolerance);
  if (!tolerance) return `its tolerance must be a number of seconds above 0 and up to ${maxTolerance}`;
  const cooldown = secondsOf(properties.cooldown, 0, maxCooldown);
  if (cooldown === undefined) return `its cooldown must be a number of seconds from 0 to ${maxCooldown}`;
  return {
    path,
    isRoot: own.path === '',
    auth,
    password: auth === 'token' ? passwordOf(password).trim() : passwordOf(password),
    toleranceMs: tolerance * 1000,
    from: isSet(properties.from) ? listOf(properties.from) : undefined,
    cooldownMs: cooldown * 1000,
  };
}

/** An environment variable can also be blank, or hold a value that is no text. */
function passwordOf(value: unknown): string {
  if (isUnresolved(value) || !['string', 'number'].includes(typeof value)) return '';
  const password = String(value);
  return password.trim() === '' ? '' : password;
}

interface OwnPath {
  readonly path: string;
  readonly wrong?: string;
}

function readPath(value: unknown, id: string): OwnPath {
  const wrong = (reason: string) => ({ path: '', wrong: reason });
  if (isUnresolved(value)) {
    return wrong(`its path is ${value}, and that environment variable is not set`);
  }
  const text = String(value ?? '').trim();
  if (text === '') return { path: `/algo/${id}` };
  const path = rootOf(text);
  if (/[?#\\\p{Cc}]/u.test(path))
    return wrong('its path contains a query, a backslash or a control character');
  const segments = path.split('/').slice(1);
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    return wrong('its path contains an empty segment, or a segment of dots');
  }
  return { path };
}

/** Decodes a path, adds a missing leading slash and removes trailing slashes. Returns an empty text for `/`. */
export function rootOf(root: string): string {
  const decoded = decodePath(root);
  let length = decoded.length;
  while (decoded[length - 1] === '/') length -= 1;
  const path = decoded.slice(0, length);
  return path === '' || path.startsWith('/') ? path : `/${path}`;
}

/** Whether a list has entries. A blank entry counts too, because an environment variable can be empty. */
function isSet(list: unknown): boolean {
  return Array.isArray(list) ? list.length > 0 : String(list ?? '') !== '';
}

function isBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`);
}

function secondsOf(value: unknown, fallback: number, max: number): number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (text === '' && value !== undefined && value !== null && value !== '') return undefined;
  const seconds = text === '' ? fallback : Number(text);
  return seconds >= 0 && seconds <= max ? seconds : undefined;
}
