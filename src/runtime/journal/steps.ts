import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** The calls of the file system that open a journal: those of `node:fs` that return at once, or of its promises. */
interface FileCalls {
  mkdir(path: string, options: { recursive: true; mode: number }): unknown;
  readFile(path: string, encoding: 'utf8'): unknown;
  rename(from: string, to: string): unknown;
  rm(path: string): unknown;
  writeFile(path: string, text: string, options: { flag: string; mode: number }): unknown;
}

/**
 * Work on files, one call a step. The same work can be done at once, while Node-RED starts, or without holding up
 * the event loop.
 */
export type Steps<T> = Generator<(files: FileCalls) => unknown, T, unknown>;

const syncCalls: FileCalls = {
  mkdir: mkdirSync,
  readFile: readFileSync,
  rename: renameSync,
  rm: rmSync,
  writeFile: writeFileSync,
};

/** Does all steps before it returns. Only for the start of Node-RED: a disk that hangs holds up everything. */
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

/** Does the steps one after the other, and waits for each. */
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

/** Reads a text file. */
export function* read(file: string): Steps<string> {
  return String(yield (files) => files.readFile(file, 'utf8'));
}
