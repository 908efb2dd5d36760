import { catalogue } from '../../catalogue';
import type { Operation, Parameters } from '../../catalogue/operation';
import { isPath, isSegment } from '../../catalogue/paths';

export interface RouteMatch {
  /** Absent for a route that transfers a file. */
  readonly command?: { readonly resource: string; readonly operation: string } | undefined;
  readonly parameters: Parameters;
}

interface KnownRoute extends Pick<RouteMatch, 'command'> {
  readonly method: string;
  /** The path up to its placeholder; the whole path if there is no placeholder. */
  readonly start: string;
  readonly placeholder: string | undefined;
  /** The names of the parameters by the keys of the query. The first key is required. */
  readonly query: readonly (readonly [key: string, name: string])[];
}

let known: readonly KnownRoute[] | undefined;

/** Returns the routes of the interface. A route with a query comes first, since the query selects the route. */
function routes(): readonly KnownRoute[] {
  known ??= catalogue
    .flatMap(({ resource, operations }) =>
      operations.map((operation: Operation) => routeOf(resource, operation)),
    )
    .sort((a, b) => b.query.length - a.query.length);
  return known;
}

function routeOf(resource: string, { id, route, body, answer }: Operation): KnownRoute {
  const [method = '', target = ''] = route.split(' ', 2);
  const [path = '', query = ''] = target.split('?', 2);
  const [start = '', placeholder] = path.split(/[{}]/, 2);
  const isOfFiles = resource === 'files' || body === 'raw' || body === 'audio' || answer === 'file';
  return {
    ...{ method, start, placeholder },
    query: [...new URLSearchParams(query)].map(([key, name]) => [key, name.slice(1, -1)]),
    command: isOfFiles ? undefined : { resource, operation: id },
  };
}

/** Maximum length of a path that can be a route: comparing thousands of segments would block the event loop. */
const maxRoute = 2048;

/** @param path the decoded path of a request, below the path of a webhook */
export function matchRoute(
  method: string,
  path: string,
  query = new URLSearchParams(),
): RouteMatch | undefined {
  if (path.length > maxRoute) return undefined;
  for (const route of routes()) {
    const value = route.method === method ? valueIn(route, path) : undefined;
    const [first] = route.query;
    if (value === undefined || (first && !query.has(first[0]))) continue;
    const inQuery = route.query.map(([key, name]) => [name, query.get(key)]);
    const given = [[route.placeholder, value], ...inQuery].filter(([name, one]) => name && one !== null);
    return { command: route.command, parameters: Object.fromEntries(given) };
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
