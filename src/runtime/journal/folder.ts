import { existsSync } from 'node:fs';
import path from 'node:path';
import type { NodeAPI } from 'node-red';

const found = new Map<string, boolean>();

export function journalFolder({ settings }: NodeAPI): string | undefined {
  return settings?.userDir ? path.join(settings.userDir, 'algo') : undefined;
}

/**
 * Whether the folder might contain the state of an earlier process. Each folder is checked only once: a later
 * check could block on a disk that hangs.
 */
export function mayKeep(RED: NodeAPI): boolean {
  const folder = journalFolder(RED);
  if (folder === undefined) return false;
  const isThere = found.get(folder) ?? existsSync(folder);
  found.set(folder, isThere);
  return isThere;
}
