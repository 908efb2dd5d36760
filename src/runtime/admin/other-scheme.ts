import http from 'node:http';
import type { Endpoint } from '../../client/settings';
import { lookAtCertificate } from './certificate';

const [webPort, securePort] = [80, 443];
const badRequest = 400;

/**
 * The address to write instead, where the other side speaks plain http and not TLS, or TLS and not plain http;
 * undefined where it speaks neither. It is sent nothing but the beginning of a request. Never rejects.
 */
export async function otherScheme(
  { secure, host, port, basePath }: Endpoint,
  limitMs: number,
): Promise<string | undefined> {
  const name = host.includes(':') ? `[${host}]` : host;
  const at = (scheme: string, usual: number, other: number) =>
    `${scheme}://${name}${other === usual ? '' : `:${other}`}${basePath}`;
  if (secure) {
    const ports = port === securePort ? [port, webPort] : [port];
    for (const one of ports) if (await speaksHttp(host, one, limitMs)) return at('http', webPort, one);
    return undefined;
  }
  const ports = port === webPort ? [port, securePort] : [port];
  for (const one of ports) if (await speaksTls(host, one, limitMs)) return at('https', securePort, one);
  return undefined;
}

function speaksHttp(host: string, port: number, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.request({ host, port, method: 'HEAD', path: '/', agent: false, timeout: limitMs });
    const settle = (does: boolean) => {
      resolve(does);
      request.destroy();
    };
    // A server that wants TLS may say so in plain http.
    request.on('response', ({ statusCode }) => settle(statusCode !== badRequest));
    request.on('timeout', () => settle(false));
    request.on('error', () => settle(false));
    request.end();
  });
}

function speaksTls(host: string, port: number, limitMs: number): Promise<boolean> {
  const endpoint = { secure: true, host, port, origin: '', basePath: '', url: '' };
  return lookAtCertificate(endpoint, {}, limitMs).then(
    ({ fingerprint }) => fingerprint !== '',
    () => false,
  );
}
