import type { NodeAPI } from 'node-red';
import { journalFolder, mayKeep } from './folder';
import { Journal } from './journal';

/** What those who keep something need of the journal. */
export type Keeping = Pick<Journal, 'entries' | 'put' | 'delete' | 'together'> &
  Partial<Pick<Journal, 'say'>>;

/** By Node-RED's user directory: tests start several in one process, and a folder has one journal. */
const known = new Map<string, Keeping>();

/** The journal below Node-RED's user directory. It makes its folder when it is first needed. */
export function journalOf(RED: NodeAPI): Keeping {
  const userDirectory = RED.settings?.userDir ?? '';
  const journal = known.get(userDirectory) ?? journalBelow(RED);
  known.set(userDirectory, journal);
  return journal;
}

function journalBelow(RED: NodeAPI): Keeping {
  const folder = journalFolder(RED);
  if (folder === undefined) return nothing;
  const warn = (sentence: string) => RED.log.warn(`[algo] ${sentence}`);
  return mayKeep(RED) ? Journal.open(folder, { warn }) : Journal.create(folder, { warn });
}

/** Where there is no folder, nothing is kept. */
const nothing: Keeping = {
  *entries() {},
  put: async () => {},
  delete: async () => {},
  together(change) {
    change();
    return Promise.resolve();
  },
};
