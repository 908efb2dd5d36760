import { existsSync } from 'node:fs';
import path from 'node:path';
import type { NodeAPI } from 'node-red';

/** The folder of the journal, below Node-RED's user directory; none where Node-RED has no such directory. */
export function journalFolder({ settings }: NodeAPI): string | undefined {
  return settings?.userDir ? path.join(settings.userDir, 'algo') : undefined;
}

/** Whether something may be kept there from before. */
export function mayKeep(RED: NodeAPI): boolean {
  const folder = journalFolder(RED);
  return folder !== undefined && existsSync(folder);
}
