import type { NodeAPI } from 'node-red';
import { journalFolder, mayKeep } from './folder';
import { Journal } from './journal';

export type SharedJournal = Pick<Journal, 'entries' | 'put' | 'delete' | 'batch'> &
  Partial<Pick<Journal, 'warn'>>;

const known = new Map<string, SharedJournal>();

export function journalOf(RED: NodeAPI): SharedJournal {
  const userDirectory = RED.settings?.userDir ?? '';
  const journal = known.get(userDirectory) ?? journalBelow(RED);
  known.set(userDirectory, journal);
  return journal;
}

function journalBelow(RED: NodeAPI): SharedJournal {
  const folder = journalFolder(RED);
  if (folder === undefined) return nothing;
  const warn = (sentence: string) => RED.log.warn(`[algo] ${sentence}`);
  return mayKeep(RED) ? Journal.open(folder, { warn }) : Journal.create(folder, { warn });
}

const nothing: SharedJournal = {
  *entries() {},
  put: async () => {},
  delete: async () => {},
  batch(change) {
    change();
    return Promise.resolve();
  },
};
