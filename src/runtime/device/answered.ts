import { isPath, isSegment } from '../../catalogue/paths';
import type { WireRequest } from '../../client/call';

/** So many names are kept of each kind; the oldest go first. */
const mostNames = 200;

/** A longer one is no name that a person would choose. */
const longestName = 200;

/** A request for one setting or one file, and its name. */
const named = /^\/api\/(settings|files|file-md5sum)\/([^?]+)/;

/** Which settings and folders a device has answered for: their names, and never what was in them. */
export class Answered {
  #settings: Set<string> | undefined;
  #folders: Set<string> | undefined;

  /** Whether there is none yet: most devices are never asked for any. */
  get isEmpty(): boolean {
    return !this.#settings && !this.#folders;
  }

  get settings(): readonly string[] {
    return [...(this.#settings ?? [])];
  }

  get folders(): readonly string[] {
    return [...(this.#folders ?? [])];
  }

  /** @param body what the device answered */
  note({ method, path }: WireRequest, body: unknown): void {
    if (method !== 'GET' && method !== 'PUT') return;
    const [, kind, encoded = ''] = named.exec(path) ?? [];
    if (kind === undefined) return;
    const name = decoded(encoded);
    const answer: Readonly<Record<string, unknown>> = Object(body);
    if (kind === 'settings') {
      if (Object.hasOwn(answer, name) && isSegment(name)) this.#settings = withName(this.#settings, name);
      return;
    }
    const folder = Array.isArray(answer.filelist) ? name : name.slice(0, Math.max(name.lastIndexOf('/'), 0));
    if (isPath(folder)) this.#folders = withName(this.#folders, folder);
  }
}

function withName(names: Set<string> | undefined, name: string): Set<string> | undefined {
  if (name.length > longestName || names?.has(name)) return names;
  const [oldest = ''] = names ?? [];
  if (names?.size === mostNames) names.delete(oldest);
  return (names ?? new Set()).add(name);
}

/** A request that was written by hand may hold anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
