import { X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
  /** SHA-256, as OpenSSL writes it. */
  readonly fingerprint: string;
}

/** A self-signed certificate for 127.0.0.1, ::1 and localhost, or for another name; valid a day, or expired. */
export async function makeCertificate(
  options: { readonly expired?: boolean; readonly name?: string } = {},
): Promise<TestCertificate> {
  const day = 24 * 60 * 60 * 1000;
  const name = options.name ?? 'localhost';
  const addresses = options.name ? [] : (['127.0.0.1', '::1'] as const);
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    algorithm: 'sha256',
    keyType: 'ec',
    notBeforeDate: new Date(Date.now() - (options.expired ? 3 : 1) * day),
    notAfterDate: new Date(Date.now() + (options.expired ? -1 : 1) * day),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [{ type: 2, value: name }, ...addresses.map((ip) => ({ type: 7 as const, ip }))],
      },
    ],
  });
  return { key, cert, fingerprint: new X509Certificate(cert).fingerprint256 };
}
