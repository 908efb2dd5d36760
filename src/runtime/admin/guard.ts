import type { NodeAPI } from 'node-red';

/** What Node-RED's admin server calls for a request. */
export type AdminHandler = ReturnType<NodeAPI['auth']['needsPermission']>;

type AdminRequest = Parameters<AdminHandler>[0];

export interface GuardOptions {
  /** So many requests are let through. */
  readonly most: number;
  /** In so long, in milliseconds. */
  readonly withinMs: number;
  /** Milliseconds; tests bring their own. */
  readonly now?: () => number;
}

/**
 * What stands before an endpoint of the editor: who may, from where, and how often. In this order, so that whoever is
 * refused uses up nothing.
 */
export function guard(RED: NodeAPI, permission: string, options: GuardOptions): AdminHandler[] {
  return [RED.auth.needsPermission(permission), refuseForeign, limit(options)];
}

/**
 * A page of another site must not use a browser that is let in, or, where nobody logs in, that stands in the right
 * network. A browser says itself where a request comes from; over plain http only by the origin, and only because it
 * is a POST of JSON.
 */
const refuseForeign: AdminHandler = (request, response, next) => {
  if (isForeign(request)) {
    response.status(403).json({ error: 'Requests come as JSON, from the editor only.' });
  } else next();
};

function isForeign({ headers }: AdminRequest): boolean {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return true;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  const { host, origin } = headers;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/** Devices are slow, and each of these requests is work for one: more than people press is somebody's mistake. */
function limit({ most, withinMs, now = () => performance.now() }: GuardOptions): AdminHandler {
  const times: number[] = [];
  return (_, response, next) => {
    const time = now();
    while (times[0] !== undefined && times[0] <= time - withinMs) times.shift();
    if (times.length < most) {
      times.push(time);
      next();
      return;
    }
    const seconds = Math.max(1, Math.ceil(((times[0] ?? time) + withinMs - time) / 1000));
    response.setHeader('Retry-After', String(seconds));
    response.status(429).json({ error: `Too many requests. Try again in ${seconds} s.` });
  };
}
