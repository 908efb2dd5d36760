import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = 'src/virtual-device/panel/page';

/**
 * Compiles each source into a file of its own in `dist`, and copies the panel's page. Types are removed and not
 * checked: `npm run check` does that.
 */
export async function transpile() {
  const compiler = await createCompiler();
  await compiler.compile();
  await compiler.end();
}

/** Compiles again what has changed, as often as it is told to. A file that is new needs a new compiler. */
export async function createCompiler() {
  const compiler = await context({
    absWorkingDir: root,
    entryPoints: ['nodes', 'src', 'test', 'bench'].flatMap(sourcesIn),
    outdir: 'dist',
    outbase: '.',
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    sourcemap: true,
    logLevel: 'warning',
  });
  return {
    async compile() {
      await compiler.rebuild();
      cpSync(path.join(root, page), path.join(root, 'dist', page), { recursive: true });
    },
    end: () => compiler.dispose(),
  };
}

function sourcesIn(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
}
