import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { end, listen } from '../fixtures/listening';
import { Program } from '../fixtures/program';
import { Copy } from './copy';

describe('npm run dev, in a copy of this repository', () => {
  const runtime = 'src/virtual-device/node/running-device.ts';
  let copy: Copy;
  let userDir: string;
  let program: Program;
  let url: string;

  /** In a group of its own, as a shell starts it: Ctrl-C reaches all of the group. */
  function dev(...args: string[]): Program {
    const options = { cwd: copy.directory, detached: true };
    return new Program(process.execPath, ['scripts/dev.mjs', '--user-dir', userDir, ...args], options);
  }

  function interrupt(one: Program): void {
    process.kill(-Number(one.child.pid), 'SIGINT');
  }

  /** Changes a file, and resolves when something like this has been said of it. */
  async function changed(file: string, change: (text: string) => string, output: RegExp): Promise<string> {
    const from = program.output.length;
    await copy.edit(file, change);
    await program.waitForOutput(output, from);
    return program.output.slice(from);
  }

  before(async () => {
    copy = await Copy.make();
    userDir = await mkdtemp(path.join(os.tmpdir(), 'algo dev '));
    program = dev('--port', '0');
    [, url = ''] = await program.waitForOutput(/Started: running after .* {2}(http:\S+)\n/);
  });

  after(async () => {
    if (program?.child.exitCode === null && program.child.signalCode === null) interrupt(program);
    await program?.ended;
    await rm(userDir, { recursive: true });
    await copy?.remove();
  });

  it('runs a change of what runs', async () => {
    const output = await changed(
      runtime,
      (text) => text.replace('listens on', 'hears on'),
      // A file that is read while it is written is built twice.
      /hears on[\s\S]*changed: running after/,
    );
    assert.doesNotMatch(output, /pages/);
  });

  it('shows a change of a page', async () => {
    await changed(
      'nodes/door.html',
      (text) => text.replace('#819EB8', '#123456'),
      /door\.html changed: running/,
    );
    const pages = await fetch(`${url}/nodes`, { headers: { accept: 'text/html' } });
    assert.ok((await pages.text()).includes('#123456'));
  });

  it('keeps what was built before while a file has a mistake, and runs the file when it is mended', async () => {
    const wrong = (text: string): string => `${text}export const = 1;\n`;
    const output = await changed(runtime, wrong, /not built/);
    assert.match(output, /running-device\.ts changed: not built, .*still runs/);
    assert.equal((await fetch(url)).status, 200);

    await changed('nodes/door.ts', (text) => `${text}// another\n`, /not built/);

    const mended = await changed(
      runtime,
      (text) => text.replace('export const = 1;\n', ''),
      /changed: running/,
    );
    assert.match(mended, /hears on/);
  });

  it('starts Node-RED again at the next change when it has ended', async () => {
    const kill = (text: string): string => `${text}setImmediate(() => process.exit(7));\n`;
    await changed(runtime, kill, /Node-RED ended unexpectedly \(exit code 7\)/);
    const restore = (text: string): string => text.replace(kill(''), '');
    await changed(runtime, restore, /changed: running/);
    assert.equal((await fetch(url)).status, 200);
  });

  it('runs a file in a new folder, and a change of it that is written in place', async () => {
    const [folder, from] = ['src/virtual-device/new', program.output.length];
    await mkdir(path.join(copy.directory, folder));
    await copy.write(`${folder}/one.ts`, 'export const one = 1;\n');
    await program.waitForOutput(/virtual-device\/new.* changed: running/, from);
    const later = program.output.length;
    await copy.write(`${folder}/one.ts`, 'export const one = 2;\n');
    await program.waitForOutput(/one\.ts changed: running/, later);
  });

  it('ends at Ctrl-C, with all that it started', async () => {
    interrupt(program);
    // Its output is closed once nobody holds it any more.
    assert.deepEqual(await program.ended, { code: 0, signal: null });
  });

  it('says in one sentence that another program has the port', async () => {
    const other = createServer();
    const [, port = ''] = (await listen(other)).split(':');
    const refused = dev('--port', port);
    assert.deepEqual(await refused.ended, { code: 1, signal: null });
    assert.match(
      refused.output,
      /^Port \d+ on 127\.0\.0\.1 is already in use; .*npm run dev -- --port \d+\n$/,
    );
    await end(other);
  });
});
