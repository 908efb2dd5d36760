import type { ConnectionOptions } from 'node:tls';
import { localized, localizedPhrase, type Text } from '../../catalogue/localized-message';
import type { DeviceSettings } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { parseAddress } from '../../client/settings';
import {
  choice,
  isUnresolved,
  number,
  orThrow,
  PropertyFinding,
  readProperties,
  seconds,
  text,
  wrong,
} from '../../kernel/property';

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

const readQueueLimit = number({ least: 1, isWhole: true, empty: 1_000, isTrimmed: true });

const shared = {
  queueLimit: readQueueLimit,
  auth: choice(['standard', 'basic', 'none'], { empty: 'standard', isTrimmed: true }),
  timeout: seconds({ above: 0, most: 3600, empty: 10, isTrimmed: true }),
};

const readers = {
  address: readAddress,
  ...shared,
  fingerprint: text({ isTrimmed: true, empty: '' }),
  certificate: choice(['verify', 'pin', 'any'], { empty: 'verify', isTrimmed: true }),
  password: readSecret,
};

export function settingsOf(
  name: string,
  properties: DeviceProperties,
  password: unknown,
  tls: ConnectionOptions,
): DeviceSettings {
  const read = readProperties(readers, { ...properties, password });
  const { address, auth, certificate, fingerprint, timeout, password: secret } = orNotConfigured(name, read);
  return {
    ...{ name, address, auth, certificate, timeoutMs: timeout, tls },
    ...(fingerprint !== '' && { fingerprint }),
    ...(secret !== '' && { password: secret }),
  };
}

export function virtualSettingsOf(
  name: string,
  properties: DeviceProperties,
  { address, auth: ofEndpoint, password }: VirtualEndpoint,
): DeviceSettings {
  const read = readProperties(shared, { ...properties, auth: ofEndpoint });
  const { auth, timeout } = orNotConfigured(name, read);
  return { name, address, auth, certificate: 'any', timeoutMs: timeout, password, isVirtual: true };
}

/** Returns undefined for an invalid limit. */
export function queueLimitOf(queueLimit: unknown): number | undefined {
  const read = readQueueLimit(queueLimit, 'queueLimit');
  return typeof read === 'number' ? read : undefined;
}

export function unsetVariableIn(properties: DeviceProperties, password: unknown): string | undefined {
  const { virtual, address, auth, certificate, fingerprint, timeout, queueLimit } = properties;
  const own = virtual ? [] : [address, auth, certificate, fingerprint, password];
  return [...own, timeout, queueLimit].find(isUnresolved);
}

function readAddress(value: unknown, name: string): string | PropertyFinding {
  const address = readSecret(value, name);
  if (typeof address !== 'string') return address;
  return address.trim() || new PropertyFinding(name, localized('noAddress'));
}

/** No sentence shows the value: it can be a password, or an address with a login. */
function readSecret(value: unknown, name: string): string | PropertyFinding {
  return isUnresolved(value) ? wrong(name, localizedPhrase('text'), value) : String(value ?? '');
}

function orNotConfigured<T>(name: string, read: T | PropertyFinding): T {
  return orThrow(read, (reason) => notConfigured(name, reason));
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
