import syncFs from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';

/*
Loaded before Node-RED (`--require`), for a disk that hangs: from SIGWINCH on, what makes sure that the journal is on
the disk does not return, until the next SIGWINCH. Each synchronous call below the journal's folder is in the log.
*/

let answer: (() => void) | undefined;
let hanging: Promise<void> | undefined;

process.on('SIGWINCH', () => {
  if (answer) {
    answer();
    answer = hanging = undefined;
    console.log('the disk answers');
  } else {
    hanging = new Promise((resolve) => {
      answer = resolve;
    });
    console.log('the disk hangs');
  }
});

const isJournal = (file: unknown) => /[\\/]algo(?:[\\/]|$)/.test(String(file));

const { open } = fs;
fs.open = async (...given: Parameters<typeof open>): Promise<FileHandle> => {
  const handle = await open(...given);
  if (!isJournal(given[0])) return handle;
  for (const name of ['sync', 'datasync'] as const) {
    const call = handle[name].bind(handle);
    handle[name] = async () => {
      await hanging;
      await call();
    };
  }
  return handle;
};

const calls = syncFs as unknown as Record<string, (...given: unknown[]) => unknown>;
for (const [name, call] of Object.entries(calls)) {
  if (!name.endsWith('Sync')) continue;
  calls[name] = (...given) => {
    if (isJournal(given[0])) console.log(`synchronous ${name}`);
    return call(...given);
  };
}
