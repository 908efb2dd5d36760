import { existsSync } from 'node:fs';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import { Journal } from './journal';

/** What those who keep something need of the journal. */
export type Keeping = Pick<Journal, 'entries' | 'put' | 'delete'>;

/** By Node-RED's user directory: tests start several in one process, and a folder has one journal. */
const known = new Map<string, Keeping>();

/** The journal below Node-RED's user directory. It makes its folder when it is first needed. */
export function journalOf(RED: NodeAPI): Keeping {
  const userDirectory = RED.settings?.userDir ?? '';
  const journal =
    known.get(userDirectory) ?? journalIn(userDirectory, (line) => RED.log.warn(`[algo] ${line}`));
  known.set(userDirectory, journal);
  return journal;
}

function journalIn(userDirectory: string, warn: (sentence: string) => void): Keeping {
  const directory = path.join(userDirectory, 'algo');
  let journal: Journal | undefined;
  const open = () => {
    journal ??= Journal.open(directory, { warn });
    return journal;
  };
  const isNone = userDirectory === '';
  return {
    *entries(prefix) {
      if (!isNone && existsSync(directory)) yield* open().entries(prefix);
    },
    put: async (key, value) => (isNone ? undefined : open().put(key, value)),
    delete: async (key) => (isNone ? undefined : open().delete(key)),
  };
}
