import type { ConnectionOptions } from 'node:tls';
import { localized, type Text } from '../../catalogue/localized-message';
import type { DeviceSettings } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { parseAddress } from '../../client/settings';
import { isUnresolved } from '../../kernel/property';

/**
 * The stored properties of an `algo-device`, after Node-RED has replaced `${ENV}`. Each value can have any
 * type.
 */
export interface DeviceProperties {
  readonly name?: unknown;
  readonly address?: unknown;
  readonly auth?: unknown;
  readonly tls?: unknown;
  readonly certificate?: unknown;
  readonly fingerprint?: unknown;
  readonly timeout?: unknown;
  readonly queueLimit?: unknown;
  readonly dryRun?: unknown;
  readonly tags?: unknown;
  readonly model?: unknown;
  readonly firmware?: unknown;
  readonly letDeviceDecide?: unknown;
  readonly virtual?: unknown;
  /** Whether the device is a row of a group with a password of its own. */
  readonly ownPassword?: unknown;
}

export interface VirtualEndpoint {
  readonly address: string;
  readonly auth: string;
  readonly password: string;
}

const defaultTimeoutSeconds = 10;

const defaultQueueLimit = 1_000;

export function settingsOf(
  name: string,
  properties: DeviceProperties,
  password: unknown,
  tls: ConnectionOptions,
): DeviceSettings {
  const address = textOf(name, 'address', properties.address);
  if (address === '') throw notConfigured(name, localized('noAddress'));
  checkQueueLimit(name, properties.queueLimit);
  const fingerprint = textOf(name, 'fingerprint', properties.fingerprint);
  const secret = secretOf(name, password);
  return {
    name,
    address,
    auth: choice(name, 'auth', properties.auth, ['standard', 'basic', 'none']),
    certificate: choice(name, 'certificate', properties.certificate, ['verify', 'pin', 'any']),
    timeoutMs: timeoutMsOf(name, properties.timeout),
    tls,
    ...(fingerprint !== '' && { fingerprint }),
    ...(secret !== '' && { password: secret }),
  };
}

export function virtualSettingsOf(
  name: string,
  properties: DeviceProperties,
  { address, auth, password }: VirtualEndpoint,
): DeviceSettings {
  checkQueueLimit(name, properties.queueLimit);
  return {
    name,
    address,
    auth: choice(name, 'auth', auth, ['standard', 'basic', 'none']),
    certificate: 'any',
    timeoutMs: timeoutMsOf(name, properties.timeout),
    password,
    isVirtual: true,
  };
}

export function queueLimitOf(queueLimit: unknown): number | undefined {
  return countOf(queueLimit, defaultQueueLimit);
}

/**
 * Parses a whole number above 0; undefined if the value is invalid.
 * @param fallback the result for an empty value
 */
export function countOf(value: unknown, fallback: number): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string' && value != null) return undefined;
  const text = String(value ?? '').trim();
  const count = text === '' ? fallback : Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

export function unsetVariableIn(properties: DeviceProperties, password: unknown): string | undefined {
  const { virtual, address, auth, certificate, fingerprint, timeout, queueLimit } = properties;
  const own = virtual ? [] : [address, auth, certificate, fingerprint, password];
  return [...own, timeout, queueLimit].find(isUnresolved);
}

function secretOf(name: string, password: unknown): string {
  return isUnresolved(password) ? textOf(name, 'password', password) : String(password ?? '');
}

function textOf(name: string, property: string, value: unknown): string {
  if (isUnresolved(value)) {
    throw notConfigured(name, localized('unsetProperty', { property, variable: value }));
  }
  return String(value ?? '').trim();
}

function choice<T extends string>(
  name: string,
  property: string,
  value: unknown,
  choices: readonly [T, ...T[]],
): T {
  const text = textOf(name, property, value);
  const chosen = text === '' ? choices[0] : choices.find((one) => one === text);
  if (chosen) return chosen;
  throw notConfigured(
    name,
    localized('propertyChoice', { property, choices: choices.join(', '), got: text }),
  );
}

function timeoutMsOf(name: string, value: unknown): number {
  const text = textOf(name, 'timeout', value);
  const seconds = text === '' ? defaultTimeoutSeconds : Number(text);
  if (seconds > 0 && seconds <= 3600) return seconds * 1000;
  throw notConfigured(name, localized('timeoutWrong', { got: text }));
}

function checkQueueLimit(name: string, value: unknown): void {
  if (queueLimitOf(value) !== undefined) return;
  const text = textOf(name, 'queueLimit', value);
  throw notConfigured(name, localized('queueLimitWrong', { got: text }));
}

export function notConfigured(name: string, reason: Text): DeviceError {
  return new DeviceError('NOT_CONFIGURED', reason, { place: `"${name}"` });
}

/**
 * Returns the URL of an address, normalized so that each spelling gives the same URL; undefined if the
 * address is invalid.
 */
export function urlOf(address: unknown): string | undefined {
  if (isUnresolved(address)) return undefined;
  try {
    return parseAddress(String(address ?? '')).url;
  } catch {
    return undefined;
  }
}

/**
 * Removes a login from an address. An address with a login is refused, and the receipt must not show the
 * login.
 */
export function withoutLogin(address: string): string {
  return address.replace(/^(https?:\/\/)?.*@/is, '$1');
}

export interface Reaching {
  readonly properties: DeviceProperties;
  /** The password that is stored, or that the user entered; absent if a dialog keeps the stored password. */
  readonly password?: string | undefined;
}
