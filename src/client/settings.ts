import type { ConnectionOptions } from 'node:tls';
import { fingerprintOf } from '../catalogue/fingerprint';
import { said, type Text } from '../catalogue/saying';
import { type Endpoint, parseAddress } from './address';
import { DeviceError, saidOf } from './errors';

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
  /** SHA-256 of the pinned certificate; as `fingerprintOf` reads it. */
  readonly fingerprint?: string;
  /** What core's tls-config filled in. Its `rejectUnauthorized` is ignored: `certificate` wins. */
  readonly tls?: ConnectionOptions;
  /** Limit for connecting, and again for the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** A simulation on this computer: nobody else sees what goes there. */
  readonly isVirtual?: true;
}

/**
 * Checks what can be checked before anything is sent.
 * @returns where the device is
 * @throws DeviceError NOT_CONFIGURED (docs/contract.md 2.1)
 */
export function checkSettings(settings: DeviceSettings): Endpoint {
  const refuse = (reason: Text): never => {
    throw unusable(settings.name, reason);
  };
  const endpoint = endpointOf(settings, refuse);
  if (settings.auth !== 'none' && !settings.password) {
    refuse(said('noPassword'));
  }
  if (settings.certificate === 'pin' && fingerprintOf(settings.fingerprint ?? '') === '') {
    refuse(said('fingerprintWrong'));
  }
  if (settings.certificate === 'pin' && !endpoint.secure) {
    refuse(said('pinnedPlain'));
  }
  if (!(settings.timeoutMs > 0)) refuse(said('limitTooShort'));
  return endpoint;
}

/** @param name may be empty */
export function unusable(name: string, reason: Text): DeviceError {
  const values = { device: name, reason };
  return new DeviceError('NOT_CONFIGURED', said(name === '' ? 'unnamedUnusable' : 'deviceUnusable', values));
}

function endpointOf(settings: DeviceSettings, refuse: (reason: Text) => never): Endpoint {
  try {
    return parseAddress(settings.address);
  } catch (error) {
    return refuse(saidOf(error));
  }
}
