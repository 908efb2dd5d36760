import type { WebhookAddress } from '../../../runtime/answers';

export interface CallEntry {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly header: string;
  readonly payload: string;
}

export interface CalledWebhook {
  readonly id: string;
  readonly path: string;
  readonly auth: string;
}

const userName = 'admin';

const json = 'Content-Type: application/json';

const defaultPorts = { http: 80, https: 443 } as const;

/**
 * Returns the entry of `api_call` that calls a webhook.
 * @param secret the password or token for `basic` or `token`; if absent, the header has a placeholder
 */
export function entryFor(
  { id, path, auth }: CalledWebhook,
  { host, port, secure, root = '' }: WebhookAddress,
  secret?: string,
): CallEntry {
  const isDefault = port === defaultPorts[secure ? 'https' : 'http'];
  return {
    method: 'POST',
    target: `${secure ? 'https://' : ''}${host}${isDefault ? '' : `:${port}`}`,
    path: `${root}${pathOf(path, id)}`,
    header: headerFor(auth || 'standard', secret),
    payload: '{}',
  };
}

function pathOf(stored: string, id: string): string {
  const path = stored.trim() === '' ? `/algo/${id}` : `/${stored.trim().replace(/^\/|\/$/g, '')}`;
  // A webhook at the root accepts only routes of the interface, so the entry gets an example of a route.
  if (path === '/') return '/api/controls/strobe/start';
  return path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

export function headerFor(auth: string, secret?: string): string {
  if (auth === 'standard') return '%DEVICE_HEADERS%';
  if (auth === 'none') return json;
  if (auth === 'token') return `Authorization: Bearer ${secret ?? '<token>'}\r\n${json}`;
  return `Authorization: Basic ${secret === undefined ? '<base64>' : base64Of(`${userName}:${secret}`)}\r\n${json}`;
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
