import type { ConnectionOptions } from 'node:tls';

/** How one device is reached. Only the address has to be given, and a password unless `auth` is `none`. */
export interface DeviceSettings {
  /** What the device is called in the sentences of errors; unless given, they name its address alone. */
  readonly name?: string | undefined;
  /** `host`, `host:port`, `[v6]:port` or a URL; https unless it begins with `http://`. */
  readonly address: string;
  /** The device's method of authentication; `standard` unless given. */
  readonly auth?: 'standard' | 'basic' | 'none' | undefined;
  readonly password?: string | undefined;
  /** `verify` against the authorities (unless given), `pin` one certificate, accept `any`. */
  readonly certificate?: 'verify' | 'pin' | 'any' | undefined;
  /** SHA-256 of the certificate, for `pin`; case and colons do not matter. */
  readonly fingerprint?: string | undefined;
  /** Further options of the TLS connection: authorities, a certificate of one's own. */
  readonly tls?: ConnectionOptions | undefined;
  /** Limit for connecting, and again for the answer, in milliseconds; 10,000 unless given. */
  readonly timeoutMs?: number | undefined;
}
