import { existsSync } from 'node:fs';
import type { NodeAPI } from 'node-red';
import { journalFolder } from './folder';
import { Journal } from './journal';

/** What those who keep something need of the journal. */
export type Keeping = Pick<Journal, 'entries' | 'put' | 'delete' | 'together'> &
  Partial<Pick<Journal, 'say'>>;

/** By Node-RED's user directory: tests start several in one process, and a folder has one journal. */
const known = new Map<string, Keeping>();

/** The journal below Node-RED's user directory. It makes its folder when it is first needed. */
export function journalOf(RED: NodeAPI): Keeping {
  const userDirectory = RED.settings?.userDir ?? '';
  const warn = (sentence: string) => RED.log.warn(`[algo] ${sentence}`);
  const journal = known.get(userDirectory) ?? journalIn(journalFolder(RED), warn);
  known.set(userDirectory, journal);
  return journal;
}

/** Where nothing is kept there is nothing to keep together. What the change throws is thrown. */
function alone(change: () => void): Promise<void> {
  change();
  return Promise.resolve();
}

/** Where there is no folder, nothing is kept. */
function journalIn(folder: string | undefined, warn: (sentence: string) => void): Keeping {
  if (folder === undefined) {
    return { *entries() {}, put: async () => {}, delete: async () => {}, together: alone };
  }
  let journal: Journal | undefined;
  const open = () => {
    journal ??= Journal.open(folder, { warn });
    return journal;
  };
  return {
    *entries(prefix) {
      if (existsSync(folder)) yield* open().entries(prefix);
    },
    put: async (key, value) => open().put(key, value),
    delete: async (key) => open().delete(key),
    say: (sentence) => open().say(sentence),
    together: (change) => (journal || existsSync(folder) ? open().together(change) : alone(change)),
  };
}
