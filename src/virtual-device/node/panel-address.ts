import type { AddressInfo } from 'node:net';

export interface EditorPlace {
  readonly server?: { address(): AddressInfo | string | null };
  readonly settings: { readonly httpAdminRoot?: unknown };
}

const everywhere = ['0.0.0.0', '::'];

/**
 * Returns the URL of a virtual device's panel, for a browser on this computer; undefined if Node-RED serves
 * no editor.
 */
export function panelAddress({ server, settings }: EditorPlace, id: string): string | undefined {
  const at = server?.address();
  const root = settings.httpAdminRoot ?? '/';
  if (typeof at !== 'object' || at === null || root === false) return undefined;
  const scheme = 'setSecureContext' in Object(server) ? 'https' : 'http';
  const host = everywhere.includes(at.address) ? '127.0.0.1' : at.address;
  const name = host.includes(':') ? `[${host}]` : host;
  const folder = String(root)
    .split('/')
    .filter(Boolean)
    .map((part) => `${part}/`)
    .join('');
  return new URL(`${folder}algo/virtual/${encodeURIComponent(id)}/`, `${scheme}://${name}:${at.port}/`).href;
}
