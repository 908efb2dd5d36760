import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** Where this package is, seen from its build. */
const packageRoot = path.resolve(__dirname, '..', '..', '..');

/** The sources of the shared script. */
export const browserDirectory = path.join(packageRoot, 'src', 'editor', 'browser');

/**
 * Modules as one script for a page, which has neither modules nor packages: those of the dialogs, and
 * those of the catalogue that they import, so that a dialog runs the very code that the runtime runs.
 * @param entry what esbuild is to begin with
 * @param packages those that may get in
 * @throws Error when any other gets in, since few packages are made for a page
 */
export async function bundle(
  entry: Pick<
    BuildOptions,
    'entryPoints' | 'stdin' | 'format' | 'minify' | 'minifyWhitespace' | 'minifySyntax'
  >,
  packages: readonly string[] = [],
): Promise<string> {
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
  const strangers = Object.keys(metafile.inputs).filter(
    (file) =>
      file.includes('node_modules/') && !packages.some((name) => file.includes(`node_modules/${name}/`)),
  );
  if (strangers.length > 0) throw new Error(`The page would need ${strangers.join(', ')}`);
  return outputFiles[0]?.text ?? '';
}

/**
 * What reads rows from a spreadsheet or a CSV file. It is a file of its own, since few people ever need it: a
 * group's dialog loads it when it is wanted, and says so when it cannot.
 */
export function bundleReader(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'row-reader.ts')], minify: true }, ['papaparse']);
}

/**
 * What asks devices and shows what they say. It is a file of its own, since a dialog that is opened to be read
 * needs none of it.
 */
export function bundleTools(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'tools', 'index.ts')], minify: true });
}
