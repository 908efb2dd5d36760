import { catalogue } from '../../catalogue';
import type { Operation, Parameters } from '../../catalogue/operation';
import { isPath, isSegment } from '../../catalogue/paths';

export interface RouteMatch {
  /** Absent for a route that transfers a file. */
  readonly command?: { readonly resource: string; readonly operation: string };
  readonly parameters: Parameters;
}

interface KnownRoute {
  readonly method: string;
  /** The path up to its placeholder; the whole path if there is no placeholder. */
  readonly start: string;
  readonly placeholder: string | undefined;
  readonly query: ReadonlyMap<string, string>;
  readonly command: RouteMatch['command'];
}

let known: readonly KnownRoute[] | undefined;

/**
 * Returns the routes of the interface. Routes with a query come first, since such routes are more specific.
 */
function routes(): readonly KnownRoute[] {
  known ??= catalogue
    .flatMap(({ resource, operations }) =>
      operations.map((operation: Operation) => routeOf(resource, operation)),
    )
    .sort((a, b) => b.query.size - a.query.size);
  return known;
}

function routeOf(resource: string, { id, route, body, answer }: Operation): KnownRoute {
  const [method = '', target = ''] = route.split(' ', 2);
  const [path = '', query = ''] = target.split('?', 2);
  const [start = '', placeholder] = path.split(/[{}]/, 2);
  const pairs = [...new URLSearchParams(query)].map(([key, name]) => [key, name.slice(1, -1)] as const);
  const isOfFiles = resource === 'files' || body === 'raw' || body === 'audio' || answer === 'file';
  return {
    method,
    start,
    placeholder,
    query: new Map(pairs),
    command: isOfFiles ? undefined : { resource, operation: id },
  };
}

/** Maximum length of a path that can be a route: comparing thousands of segments would block the event loop. */
const maxRoute = 2048;

export function isRoute(method: string, path: string): boolean {
  return (
    path.length <= maxRoute &&
    routes().some((route) => route.method === method && valueIn(route, path) !== undefined)
  );
}

export function matchRoute(method: string, path: string, query: URLSearchParams): RouteMatch | undefined {
  for (const route of routes()) {
    if (route.method !== method) continue;
    const value = valueIn(route, path);
    // The first key of a query selects the route, since the other keys are optional.
    const [first] = route.query.keys();
    if (value === undefined || (first !== undefined && !query.has(first))) continue;
    const inQuery = [...route.query].flatMap(([key, name]) => {
      const given = query.get(key);
      return given === null ? [] : [[name, given] as const];
    });
    const inPath = route.placeholder === undefined ? [] : [[route.placeholder, value] as const];
    return {
      ...(route.command && { command: route.command }),
      parameters: Object.fromEntries([...inPath, ...inQuery]),
    };
  }
  return undefined;
}

function valueIn({ start, placeholder }: KnownRoute, path: string): string | undefined {
  if (placeholder === undefined) return path === start ? '' : undefined;
  if (!path.startsWith(start)) return undefined;
  const value = path.slice(start.length);
  if (placeholder !== 'path') return isSegment(value) ? value : undefined;
  // The path of a folder can end with a slash.
  const file = value.endsWith('/') ? value.slice(0, -1) : value;
  return isPath(file) ? file : undefined;
}
