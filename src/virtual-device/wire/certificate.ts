import { isIP } from 'node:net';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * Creates a self-signed certificate for a host. Rejects with a message for the user if the library is
 * missing.
 */
export async function makeCertificate(host: string): Promise<Certificate> {
  const { generate } = await library();
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

/** Loads selfsigned on demand. The library is optional, since only HTTPS needs the library. */
async function library(): Promise<typeof import('selfsigned')> {
  try {
    return await import('selfsigned');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'HTTPS needs the package "selfsigned", which is not installed; install it next to this one: npm install selfsigned',
    );
  }
}
