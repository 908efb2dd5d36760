import { existsSync } from 'node:fs';
import path from 'node:path';
import type { NodeAPI } from 'node-red';

/** Whether a folder was there when it was first looked for, which is when Node-RED starts. */
const found = new Map<string, boolean>();

/** The folder of the journal, below Node-RED's user directory; none where Node-RED has no such directory. */
export function journalFolder({ settings }: NodeAPI): string | undefined {
  return settings?.userDir ? path.join(settings.userDir, 'algo') : undefined;
}

/** Whether something may be kept there from before. Asks the disk once: later ones would wait for a disk that hangs. */
export function mayKeep(RED: NodeAPI): boolean {
  const folder = journalFolder(RED);
  if (folder === undefined) return false;
  const isThere = found.get(folder) ?? existsSync(folder);
  found.set(folder, isThere);
  return isThere;
}
