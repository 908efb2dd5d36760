import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { VirtualDevice } from '../../src/virtual-device/device';

/** A device that stands somewhere in the house, and the password that its owner knows. */
export interface ProtectedDevice {
  readonly device: VirtualDevice;
  readonly address: string;
  readonly password: string;
}

export async function startProtectedDevice(
  options: { readonly tls?: boolean } = {},
): Promise<ProtectedDevice> {
  const password = 'hunter2';
  const device = new VirtualDevice({ model: '8301', password, ...options });
  return { device, address: await device.start(), password };
}

/** The fingerprint of the certificate that somebody shows, as a browser writes it. */
export function fingerprintOf(address: string): Promise<string> {
  const { hostname: host, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw).fingerprint256);
      socket.end();
    });
    socket.once('error', reject);
  });
}
