import type { ConnectionOptions } from 'node:tls';
import { type Endpoint, parseAddress } from './address';
import { DeviceError, wordsOf } from './errors';

/** How one device is reached. */
export interface DeviceSettings {
  /** What the device is called, for the sentences of errors. */
  readonly name: string;
  /**
   * `host`, `host:port`, `[v6]:port` or a URL; https unless it begins with `http://`. A base path is sent but
   * not signed, user info is refused.
   */
  readonly address: string;
  readonly auth: 'standard' | 'basic' | 'none';
  readonly password?: string;
  /** `verify` against the authorities, `pin` one certificate, accept `any`. */
  readonly certificate: 'verify' | 'pin' | 'any';
  /** SHA-256 of the pinned certificate; case and colons do not matter. */
  readonly fingerprint?: string;
  /** What core's tls-config filled in. Its `rejectUnauthorized` is ignored: `certificate` wins. */
  readonly tls?: ConnectionOptions;
  /** Limit for connecting, and again for the answer, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Checks what can be checked before anything is sent.
 * @returns where the device is
 * @throws DeviceError NOT_CONFIGURED (docs/contract.md 2.1)
 */
export function checkSettings(settings: DeviceSettings): Endpoint {
  const refuse = (reason: string): never => {
    throw unusable(settings.name, reason);
  };
  const endpoint = endpointOf(settings, refuse);
  if (settings.auth !== 'none' && !settings.password) {
    refuse(
      'it has no password; passwords do not travel with exported flows, so enter it again in the device node',
    );
  }
  if (settings.certificate === 'pin' && !isFingerprint(settings.fingerprint ?? '')) {
    refuse('its pinned fingerprint has to be a SHA-256 value, 64 hexadecimal digits with or without colons');
  }
  if (settings.certificate === 'pin' && !endpoint.secure) {
    refuse('its certificate is pinned, but an address that begins with http:// has none; write https://');
  }
  if (!(settings.timeoutMs > 0)) refuse('its time limit has to be longer than 0 s');
  return endpoint;
}

/** @param name may be empty */
export function unusable(name: string, reason: string): DeviceError {
  const called = name === '' ? 'The device' : `The device "${name}"`;
  return new DeviceError('NOT_CONFIGURED', `${called} cannot be used: ${reason}`);
}

function endpointOf(settings: DeviceSettings, refuse: (reason: string) => never): Endpoint {
  try {
    return parseAddress(settings.address);
  } catch (error) {
    return refuse(wordsOf(error));
  }
}

function isFingerprint(text: string): boolean {
  return /^[0-9A-F]{64}$/.test(normalFingerprint(text));
}

/** Capitals, without colons and spaces, so that two fingerprints can be compared. */
export function normalFingerprint(text: string): string {
  return text.replace(/[:\s]/g, '').toUpperCase();
}
