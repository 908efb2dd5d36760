import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../node-runtime.mjs';

const sources = [
  'nodes',
  'src',
  'icons',
  'locales',
  'scripts/build.mjs',
  'scripts/transpile.mjs',
  'tsconfig.json',
];

/** The last file that a build writes. */
const lastBuilt = 'dist/nodes/algo-forms.html';

/** Builds the package if a source changed after the last build. Resolves to an exit code. */
export async function buildIfNeeded(root) {
  const built = path.join(root, lastBuilt);
  if (existsSync(built)) {
    const changed = await Promise.all(sources.map((source) => newest(path.join(root, source))));
    if ((await stat(built)).mtimeMs > Math.max(...changed)) return 0;
  }
  console.log('Building ...');
  return run(process.execPath, [path.join(root, 'scripts', 'build.mjs'), '--to-run'], { cwd: root });
}

/** Returns the last change of a file or a directory. Directories count, since files can be removed. */
async function newest(place) {
  if (!existsSync(place)) return 0;
  const found = await stat(place);
  if (!found.isDirectory()) return found.mtimeMs;
  const inner = await readdir(place, { recursive: true });
  const times = inner.map(async (name) => (await stat(path.join(place, name))).mtimeMs);
  return Math.max(found.mtimeMs, ...(await Promise.all(times)));
}
