import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The program, as it is started from a command line. */
export const CLI = join(__dirname, '../../../src/virtual-device/cli.js');

/** What became of it. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Resolves when it has ended. */
export async function end(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

/** Runs it to its end. */
export const run = (...args: string[]) => end(spawn(process.execPath, [CLI, ...args]));

/** The first lines of its standard output. */
export async function lines(child: ChildProcessWithoutNullStreams, count: number): Promise<string[]> {
  const found: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    found.push(line);
    if (found.length === count) break;
  }
  return found;
}
