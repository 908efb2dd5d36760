import type { Operation } from '../catalogue/operation';
import { staysBelow } from '../catalogue/paths';
import { said } from '../catalogue/saying';
import { buildBody } from './body';
import type { WireRequest } from './call';
import { Failure } from './failure';

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Makes the request of an operation: `{name}` in its route is filled in, percent-encoded; what remains is the
 * body. A query pair whose parameter is not given is left out. Parameters that are undefined are absent.
 * @throws Failure INVALID_PARAMETER when the path cannot be made
 */
export function buildRequest(
  { route, body: kind }: Pick<Operation, 'route'> & Partial<Pick<Operation, 'body'>>,
  parameters: Parameters,
): WireRequest {
  const [method, template = ''] = route.split(' ', 2) as [WireRequest['method'], string?];
  // Readings mostly have nothing to fill in, and are many.
  if (!/[{?]/.test(template) && Object.keys(parameters).length === 0) return { method, path: template };
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const [pathTemplate = '', queryTemplate] = template.split('?', 2);
  const used = new Set<string>();
  const path = fillPath(pathTemplate, given, used) + fillQuery(queryTemplate, given, used);
  const rest = Object.entries(given).filter(([name]) => !used.has(name));
  if (rest.length > 0 && method === 'GET') {
    throw Failure.own(
      'INVALID_PARAMETER',
      said('noPlace', { names: rest.map(([name]) => name).join('", "') }),
    );
  }
  return { method, path, ...buildBody(kind ? { body: kind } : {}, rest) };
}

function fillPath(template: string, parameters: Parameters, used: Set<string>): string {
  return template.replace(/\{([^{}]+)\}/g, (_placeholder, name: string) => {
    used.add(name);
    const value = parameters[name];
    if (value === undefined) throw Failure.own('INVALID_PARAMETER', said('missingInPath', { name }));
    // Only a file's path keeps its slashes; any other value is one segment.
    const segments = name === 'path' ? String(value).split('/') : [String(value)];
    return segments.map((segment) => encodeSegment(name, segment)).join('/');
  });
}

/** A dot segment or an empty one would make another route of it. */
function encodeSegment(name: string, segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw Failure.own('INVALID_PARAMETER', said('emptyPart', { name }));
  }
  return encode(name, segment);
}

function fillQuery(template: string | undefined, parameters: Parameters, used: Set<string>): string {
  const pairs = (template ?? '').split('&').flatMap((pair) => {
    const [key, name] = /^([^=]+)=\{([^}]+)\}$/.exec(pair)?.slice(1) ?? [];
    if (key === undefined || name === undefined) return pair === '' ? [] : [pair];
    used.add(name);
    const value = parameters[name];
    return value === undefined ? [] : [`${key}=${encode(name, String(value))}`];
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encode(name: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw Failure.own('INVALID_PARAMETER', said('halfCharacter', { name }));
  }
}

/**
 * Checks a request that somebody wrote by hand.
 * @throws Failure INVALID_PARAMETER when it would leave the device's base address, or cannot be sent
 */
export function checkRequest({ path, body, contentType }: WireRequest): void {
  if (!/^\/(?!\/)/.test(path)) {
    throw Failure.own('INVALID_PARAMETER', said('oneSlash'));
  }
  if (!/^[\x21-\x7e]+$/.test(path) || path.includes('#')) {
    throw Failure.own('INVALID_PARAMETER', said('percentEncoded'));
  }
  if (path.includes('\\') || !staysBelow(path)) {
    throw Failure.own('INVALID_PARAMETER', said('dotParts'));
  }
  if (body && !/^[\x21-\x7e][\x20-\x7e]*$/.test(contentType ?? '')) {
    throw Failure.own('INVALID_PARAMETER', said('contentType'));
  }
}
