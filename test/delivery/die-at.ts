import fs, { type FileHandle } from 'node:fs/promises';
import './patient-disk';

/*
Loaded before Node-RED (`--require`), in a process that a test wants to die. Once it was sent SIGUSR2 it kills itself
at the step ALGO_DIE_AT of those that change its journal: before a write, after it, and so on.
*/

const dieAt = Number(process.env.ALGO_DIE_AT);
let isArmed = false;
let step = 0;

process.on('SIGUSR2', () => {
  isArmed = true;
  console.log('armed');
});

function passStep(): void {
  if (!isArmed) return;
  step += 1;
  if (step === dieAt) process.kill(process.pid, 'SIGKILL');
}

async function around<T>(work: () => Promise<T>): Promise<T> {
  passStep();
  const done = await work();
  passStep();
  return done;
}

const { open, rename } = fs;
const isJournal = (file: unknown) => String(file).includes('journal.jsonl');

fs.open = async (...given: Parameters<typeof open>): Promise<FileHandle> => {
  const handle = await open(...given);
  if (!isJournal(given[0])) return handle;
  const append = handle.appendFile.bind(handle);
  handle.appendFile = (...what) => around(() => append(...what));
  return handle;
};

fs.rename = (from, to) => (isJournal(to) ? around(() => rename(from, to)) : rename(from, to));
