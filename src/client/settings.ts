import type { ConnectionOptions } from 'node:tls';

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
