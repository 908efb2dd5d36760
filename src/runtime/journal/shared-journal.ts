import type { NodeAPI } from 'node-red';
import { Journal, type SharedJournal } from '../../kernel/journal/journal';
import { readEntries } from '../../kernel/journal/read-entries';
import { PerNodeRed } from '../per-node-red';
import { journalFolder, mayKeep } from './folder';

/** The beginnings of the keys of all entries. Each engine examines its own entries when it starts. */
const kinds = [
  ...['alert/is/', 'alert/at/', 'alert/receipt/', 'alert/report/'],
  ...['announce/back/', 'announce/files/', 'announce/open/', 'end/', 'supervision/', 'tone/'],
  ...['asked/', 'centre/', 'node/', 'site/'],
];

const journals = new PerNodeRed(journalBelow);

export function journalOf(RED: NodeAPI): SharedJournal {
  return journals.of(RED);
}

function journalBelow(RED: NodeAPI): SharedJournal {
  const folder = journalFolder(RED);
  if (folder === undefined) return withoutFolder();
  const warn = (sentence: string) => RED.log.warn(`[algo] ${sentence}`);
  if (!mayKeep(RED)) return Journal.create(folder, { warn });
  const journal = Journal.open(folder, { warn });
  readEntries(journal, '', (_value, key) => kinds.some((kind) => key.startsWith(kind)) || undefined);
  return journal;
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
