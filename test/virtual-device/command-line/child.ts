import assert from 'node:assert/strict';
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

/** The program while it runs, with `--json`. */
export interface Running {
  /** The devices as it named them. */
  readonly devices: readonly { readonly address: string; readonly [field: string]: string }[];
  /** The address of the first one. */
  readonly address: string;
  /** The next entry of its log. */
  logged(): Promise<Record<string, unknown>>;
}

/** Starts the program with one device or so many, runs a test, and ends it as Ctrl-C does. */
export async function withProgram(
  args: readonly string[],
  test: (running: Running) => Promise<void>,
  count = 1,
): Promise<void> {
  const child = spawn(process.execPath, [CLI, '--json', ...args]);
  const log = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  try {
    const devices = (await lines(child, count)).map((line) => JSON.parse(line));
    const logged = async () => JSON.parse((await log.next()).value);
    await test({ devices, address: devices[0].address, logged });
  } finally {
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'close'), [0, null]);
  }
}
