import type { Request } from './transcript';
import { splitLine } from './wire';

/** A route as the virtual device exposes it: `{name}` is one segment, `{name*}` any number of them. */
export interface ExposedRoute {
  readonly method: string;
  readonly segments: readonly string[];
}

/** Whether a request is one for a route. */
export function matches(route: ExposedRoute, request: Request | undefined): boolean {
  if (!request) return false;
  const { method, path } = splitLine(request.line);
  if (method !== route.method) return false;
  const patterns = route.segments.map((segment) => {
    if (/^\{\w+\*\}$/.test(segment)) return '.+';
    if (/^\{\w+\}$/.test(segment)) return '[^/]+';
    return segment.replace(/[^\w-]/g, '\\$&');
  });
  return new RegExp(`^/?${patterns.join('/')}$`).test(path.split('?')[0] ?? '');
}
