import { isPath, isSegment } from '../../catalogue/paths';
import type { WireRequest } from '../../client/call';

/** The maximum number of names that are kept of each kind; the oldest are dropped first. */
const mostNames = 200;

/** A longer one is no name that a person would choose. */
const longestName = 200;

/** A request for one setting or one file, and its name. */
const named = /^\/api\/(settings|files|file-md5sum)\/([^?]+)/;

/** Which settings and folders a device has answered for: their names, and never what was in them. */
export interface Answered {
  readonly settings: readonly string[];
  readonly folders: readonly string[];
}

const nothing: Answered = { settings: [], folders: [] };

/**
 * What a device has answered for after one answer more. Most devices are never asked for any of it.
 * @param body what the device answered
 */
export function answeredWith(
  before: Answered | undefined,
  { method, path }: WireRequest,
  body: unknown,
): Answered | undefined {
  if (method !== 'GET' && method !== 'PUT') return before;
  const [, kind, encoded = ''] = named.exec(path) ?? [];
  if (kind === undefined) return before;
  const name = decoded(encoded);
  const answer: Readonly<Record<string, unknown>> = Object(body);
  const { settings, folders } = before ?? nothing;
  if (kind === 'settings') {
    if (!Object.hasOwn(answer, name) || !isSegment(name)) return before;
    return { settings: withName(settings, name), folders };
  }
  const folder = Array.isArray(answer.filelist) ? name : name.slice(0, Math.max(name.lastIndexOf('/'), 0));
  return isPath(folder) ? { settings, folders: withName(folders, folder) } : before;
}

function withName(names: readonly string[], name: string): readonly string[] {
  if (name.length > longestName || names.includes(name)) return names;
  return [...names.slice(1 - mostNames), name];
}

/** A request that was written by hand may hold anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
