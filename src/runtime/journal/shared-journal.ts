import type { NodeAPI } from 'node-red';
import { PerNodeRed } from '../per-node-red';
import { journalFolder, mayKeep } from './folder';
import { Journal } from './journal';

export type SharedJournal = Pick<Journal, 'entries' | 'put' | 'delete' | 'batch'> &
  Partial<Pick<Journal, 'warn'>>;

const journals = new PerNodeRed(journalBelow);

export function journalOf(RED: NodeAPI): SharedJournal {
  return journals.of(RED);
}

function journalBelow(RED: NodeAPI): SharedJournal {
  const folder = journalFolder(RED);
  if (folder === undefined) return withoutFolder();
  const warn = (sentence: string) => RED.log.warn(`[algo] ${sentence}`);
  return mayKeep(RED) ? Journal.open(folder, { warn }) : Journal.create(folder, { warn });
}

/** Returns a journal that stores nothing, for a Node-RED that has no user directory. */
function withoutFolder(): SharedJournal {
  return {
    *entries() {},
    put: async () => {},
    delete: async () => {},
    batch(change) {
      change();
      return Promise.resolve();
    },
  };
}
