import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './node-runtime.mjs';

/**
 * Installs Dashboard 2 for the test of the operator's page. Every Node-RED that finds a module next to its own loads
 * this module, so Dashboard is apart from the modules of this package: in a folder that `npm ci` removes.
 */
const from = fileURLToPath(new URL('dashboard', import.meta.url));
const folder = fileURLToPath(new URL('../node_modules/.cache/dashboard', import.meta.url));
const stamp = path.join(folder, 'installed.json');
const lockfile = path.join(from, 'package-lock.json');

const read = (file) => readFile(file, 'utf8').catch(() => undefined);
const isInstalled = async () => (await read(stamp)) === (await read(lockfile));

if (!(await isInstalled())) {
  // Two test runs can install at the same time: each installs into a folder of its own, and one of them stays.
  const own = `${folder}-${process.pid}`;
  await mkdir(own, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    await copyFile(path.join(from, file), path.join(own, file));
  }
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run(command, [...first, 'ci', ...options], { cwd: own });
  if (code !== 0) process.exit(code);
  await copyFile(lockfile, path.join(own, 'installed.json'));
  await rename(own, folder).catch(async () => {
    if (await isInstalled()) return rm(own, { recursive: true });
    await rm(folder, { recursive: true, force: true });
    await rename(own, folder);
  });
}
