import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = 'src/virtual-device/panel/page';

/**
 * esbuild exports getters, which cost a call for each use of an export. All imports are without circles and no export
 * is assigned twice, so the values can take their place.
 */
const plainExports =
  'if (module.exports.__esModule) module.exports = Object.defineProperty({ ...module.exports }, "__esModule", { value: true });';

/**
 * Compiles all sources, or the given ones, each into its own file in `dist`, and copies the panel's page.
 * Types are removed but not checked; `npm run check` checks them.
 */
export async function transpile(sources = ['nodes', 'src', 'test', 'bench'].flatMap(sourcesIn)) {
  await build({
    absWorkingDir: root,
    entryPoints: sources,
    outdir: 'dist',
    outbase: '.',
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    sourcemap: true,
    footer: { js: plainExports },
    logLevel: 'warning',
  });
  cpSync(path.join(root, page), path.join(root, 'dist', page), { recursive: true });
}

export function sourcesIn(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
    .filter(isSource);
}

export function isSource(file) {
  return file.endsWith('.ts') && !file.endsWith('.d.ts');
}
