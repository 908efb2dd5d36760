import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** Where this package is, seen from its build. */
const packageRoot = path.resolve(__dirname, '..', '..', '..');

/** The sources of the shared script. */
export const browserDirectory = path.join(packageRoot, 'src', 'editor', 'browser');

/**
 * Modules as one readable script for a page, which has neither modules nor packages: those of the dialogs, and
 * those of the catalogue that they import, so that a dialog runs the very code that the runtime runs.
 * @param entry what esbuild is to begin with
 * @throws Error when something gets in that is none of our own sources: no package is made for this page
 */
export async function bundle(entry: Pick<BuildOptions, 'entryPoints' | 'stdin' | 'format'>): Promise<string> {
  const { outputFiles, metafile } = await build({
    format: 'iife',
    ...entry,
    absWorkingDir: packageRoot,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
    inject: [path.join(browserDirectory, 'buffer.ts')],
  });
  const strangers = Object.keys(metafile.inputs).filter((file) => file.includes('node_modules/'));
  if (strangers.length > 0) throw new Error(`The page would need ${strangers.join(', ')}`);
  return outputFiles[0]?.text ?? '';
}
