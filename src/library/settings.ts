import type { ConnectionOptions } from 'node:tls';

/** Address, login and limits of one device. `password` is required unless `auth` is `none`. */
export interface DeviceSettings {
  /** Name of the device in error messages; default: messages name only the address. */
  readonly name?: string | undefined;
  /** `host`, `host:port`, `[v6]:port` or a URL; https unless the address starts with `http://`. */
  readonly address: string;
  /** Authentication method of the device; default: `standard`. */
  readonly auth?: 'standard' | 'basic' | 'none' | undefined;
  readonly password?: string | undefined;
  /**
   * `verify` (default): trust the certificate authorities. `pin`: trust one certificate. `any`: trust every
   * certificate.
   */
  readonly certificate?: 'verify' | 'pin' | 'any' | undefined;
  /** SHA-256 fingerprint of the certificate, required for `pin`; case and colons are ignored. */
  readonly fingerprint?: string | undefined;
  /** Further TLS options, for example certificate authorities or a client certificate. */
  readonly tls?: ConnectionOptions | undefined;
  /**
   * Limit for connecting, and the same limit again for the answer, in milliseconds; default: 10,000. Some
   * operations, such as uploads, have a higher minimum for the answer.
   */
  readonly timeoutMs?: number | undefined;
}
