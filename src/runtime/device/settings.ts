import type { ConnectionOptions } from 'node:tls';
import type { DeviceSettings } from '../../client/client';
import { DeviceError } from '../../client/errors';

/** The properties of an `algo-device` as they are stored, `${ENV}` already replaced: of any type. */
export interface DeviceProperties {
  readonly name?: unknown;
  readonly address?: unknown;
  readonly auth?: unknown;
  readonly tls?: unknown;
  readonly certificate?: unknown;
  readonly fingerprint?: unknown;
  readonly timeout?: unknown;
  readonly tags?: unknown;
  readonly model?: unknown;
  readonly firmware?: unknown;
  readonly letDeviceDecide?: unknown;
  readonly virtual?: unknown;
}

/** Where a virtual device listens and what it wants to hear; what `algo-virtual-device` offers. */
export interface VirtualEndpoint {
  readonly address: string;
  readonly auth: string;
  readonly password: string;
}

const defaultTimeoutSeconds = 10;

/**
 * The client's settings from a device node's properties.
 * @throws DeviceError NOT_CONFIGURED naming the property that is missing or unusable
 */
export function settingsOf(
  name: string,
  properties: DeviceProperties,
  password: unknown,
  tls: ConnectionOptions,
): DeviceSettings {
  const address = textOf(name, 'address', properties.address);
  if (address === '') throw notConfigured(name, 'it has no address');
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

/** The client's settings for a virtual device: its own address and secret, this device's name and patience. */
export function virtualSettingsOf(
  name: string,
  properties: DeviceProperties,
  { address, auth, password }: VirtualEndpoint,
): DeviceSettings {
  return {
    name,
    address,
    auth: choice(name, 'auth', auth, ['standard', 'basic', 'none']),
    certificate: 'any',
    timeoutMs: timeoutMsOf(name, properties.timeout),
    password,
  };
}

/** The tags of a comma-separated list, without the blanks around them. */
export function tagsOf(tags: unknown): string[] {
  const list = Array.isArray(tags) ? tags : String(tags ?? '').split(',');
  return list.map((tag) => String(tag).trim()).filter((tag) => tag !== '');
}

/** Whether a checkbox, or the environment variable behind it, says yes. */
export function isOn(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

/** Whether a text is still the name of an environment variable, because that variable is not set. */
export function isUnresolved(value: unknown): value is string {
  return typeof value === 'string' && /^\$\{[^}]+\}$|^\$\([^)]+\)$/.test(value);
}

/** A password is taken as it is: blanks at its ends are part of it. */
function secretOf(name: string, password: unknown): string {
  return isUnresolved(password) ? textOf(name, 'password', password) : String(password ?? '');
}

function textOf(name: string, property: string, value: unknown): string {
  if (isUnresolved(value)) {
    throw notConfigured(name, `its ${property} is ${value}, and that environment variable is not set`);
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
  throw notConfigured(name, `its ${property} must be one of ${choices.join(', ')}; it is ${text}`);
}

function timeoutMsOf(name: string, value: unknown): number {
  const text = textOf(name, 'timeout', value);
  const seconds = text === '' ? defaultTimeoutSeconds : Number(text);
  if (seconds > 0 && seconds <= 3600) return seconds * 1000;
  throw notConfigured(name, `its timeout must be a number of seconds up to 3600; it is ${text}`);
}

function notConfigured(name: string, reason: string): DeviceError {
  return new DeviceError('NOT_CONFIGURED', `Device "${name}" cannot be used: ${reason}`);
}

/** A login in an address is refused, and must not show up in the receipt that says so. */
export function withoutLogin(address: string): string {
  return address.replace(/^(https?:\/\/)?.*@/is, '$1');
}
