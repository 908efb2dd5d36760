import { isIP } from 'node:net';

/** PEM texts, as node:https takes them. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A fresh self-signed certificate for a host. The library is loaded only when one is wanted. */
export async function makeCertificate(host: string): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const pems = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: false },
      {
        name: 'subjectAltName',
        altNames: isIP(host) ? [{ type: 7, ip: host }] : [{ type: 2, value: host }],
      },
    ],
  });
  return { key: pems.private, cert: pems.cert };
}
