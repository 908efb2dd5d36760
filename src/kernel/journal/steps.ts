import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

interface FileCalls {
  mkdir(path: string, options: { recursive: true; mode: number }): unknown;
  readFile(path: string, encoding: 'utf8'): unknown;
  rename(from: string, to: string): unknown;
  rm(path: string): unknown;
  writeFile(path: string, text: string, options: { flag: string; mode: number }): unknown;
}

/**
 * Work on files in which each step is one call of the file system. The same code can run synchronously, at
 * the start of Node-RED, or without blocking the event loop.
 */
export type Steps<T> = Generator<(files: FileCalls) => unknown, T, unknown>;

const syncCalls: FileCalls = {
  mkdir: mkdirSync,
  readFile: readFileSync,
  rename: renameSync,
  rm: rmSync,
  writeFile: writeFileSync,
};

/**
 * Runs all steps synchronously. Only for the start of Node-RED, since a disk that hangs would block the
 * process.
 */
export function runSync<T>(steps: Steps<T>): T {
  let next = steps.next();
  while (!next.done) {
    let answer: unknown;
    try {
      answer = next.value(syncCalls);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(answer);
  }
  return next.value;
}

export async function run<T>(steps: Steps<T>, files: FileCalls): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    let answer: unknown;
    try {
      answer = await next.value(files);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(answer);
  }
  return next.value;
}

export function* read(file: string): Steps<string> {
  return String(yield (files) => files.readFile(file, 'utf8'));
}
