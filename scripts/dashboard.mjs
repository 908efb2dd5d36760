import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './node-runtime.mjs';

/**
 * Installs Dashboard 2 for the test of the operator's page. Every Node-RED that finds a module next to its own loads
 * this module, so Dashboard is apart from the modules of this package: in a folder that `npm ci` removes.
 */
const from = fileURLToPath(new URL('dashboard', import.meta.url));
const folder = fileURLToPath(new URL('../node_modules/.cache/dashboard', import.meta.url));
/** Is copied last, so that a folder that has it is complete. */
const stamp = path.join(folder, 'installed.json');
const lockfile = path.join(from, 'package-lock.json');

const read = (file) => readFile(file, 'utf8').catch(() => undefined);

if ((await read(stamp)) !== (await read(lockfile))) {
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(path.join(from, file), path.join(folder, file));
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const code = await run(
    command,
    [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
    },
  );
  if (code !== 0) process.exit(code);
  await copyFile(lockfile, stamp);
}
