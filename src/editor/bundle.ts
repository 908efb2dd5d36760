import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { operationRequirements } from './requirements';

/** The root of this package, relative to the compiled file. */
const packageRoot = path.resolve(__dirname, '..', '..', '..');

/** The folder with the sources of the shared script. */
export const browserDirectory = path.join(packageRoot, 'src', 'editor', 'browser');

/**
 * The license files of each package that a bundle may contain: its own, or our copy if the package has no
 * such file.
 */
const licenses = {
  papaparse: ['node_modules/papaparse/LICENSE'],
  '@event-calendar/build': ['src/editor/licenses/event-calendar.txt', 'src/editor/licenses/svelte.txt'],
} as const;

/** Returns the license texts of packages as one comment, which esbuild appends to the bundle. */
async function licenseComment(packages: readonly (keyof typeof licenses)[]): Promise<string> {
  const files = packages.flatMap((name) => licenses[name]);
  const texts = await Promise.all(files.map((file) => readFile(path.join(packageRoot, file), 'utf8')));
  return texts.length === 0 ? '' : `/*!\n${texts.join('\n')}*/`;
}

/**
 * Replaces the English phrases and reasons in a bundle by their keys.
 * A page takes these texts in its own language (`FormatPhrase`), so the English would only add size.
 */
const withoutEnglish: Plugin = {
  name: 'without English',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]catalogue[\\/](?:phrases|reasons)\.ts$/ }, ({ path: file }) => {
      const name = path.basename(file, '.ts');
      return {
        contents: `export const ${name} = /* @__PURE__ */ new Proxy({}, { get: (none, key) => key });`,
      };
    });
  },
};

/**
 * Bundles modules into one script for a page, which has neither modules nor packages.
 * The bundle includes the modules of the catalogue that a dialog imports, so a dialog runs the same code as
 * the runtime.
 * @param entry the entry point for esbuild
 * @param packages the packages that the bundle may contain, with their license texts
 * @throws Error if the bundle would contain any other package, since few packages work in a browser
 */
export async function bundle(
  entry: Pick<BuildOptions, 'entryPoints' | 'stdin' | 'format' | 'loader' | 'minify'>,
  packages: readonly (keyof typeof licenses)[] = [],
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
    define: { builtRequirements: JSON.stringify(operationRequirements()) },
    plugins: [withoutEnglish],
    footer: { js: await licenseComment(packages) },
    inject: [path.join(browserDirectory, 'node-globals.ts')],
  });
  const strangers = Object.keys(metafile.inputs).filter(
    (file) =>
      file.includes('node_modules/') && !packages.some((name) => file.includes(`node_modules/${name}/`)),
  );
  if (strangers.length > 0) throw new Error(`The page would need ${strangers.join(', ')}`);
  return outputFiles[0]?.text ?? '';
}

/** Bundles the list of actions of an alert. The dialog loads the list when it opens. */
export function bundleAlert(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'alert', 'script.ts')], minify: true });
}

/**
 * Bundles the marks of unsupported fields and targets. The dialog of an action node loads the marks when it
 * opens.
 */
export function bundleSupport(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'support', 'script.ts')], minify: true });
}

/**
 * Bundles the reader of rows from a spreadsheet or a CSV file.
 * Few users need the reader, so a group's dialog loads it on demand and reports a failure to load.
 */
export function bundleReader(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'table', 'row-reader.ts')], minify: true }, [
    'papaparse',
  ]);
}

/** Bundles the rows of the dialog of `algo-virtual`, which loads them when it opens. */
export function bundleVirtual(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'virtual', 'script.ts')], minify: true });
}

/** Bundles the parts of a scheduler's dialog, which loads them when it opens. */
export function bundleBells(): Promise<string> {
  const entryPoints = [path.join(browserDirectory, 'bells', 'script.ts')];
  return bundle({ entryPoints, minify: true, loader: { '.css': 'text' } });
}

/** The package that draws the calendar. Its script is not a module. */
const calendar = '@event-calendar/build';

/** Bundles the week view of a scheduler, which is loaded when the user opens the view. */
export async function bundleWeek(): Promise<string> {
  const script = require.resolve(calendar);
  const style = script.replace(/\.js$/, '.css');
  const contents = [
    "import { weekOf } from './week';",
    `import style from ${JSON.stringify(style)};`,
    (await readFile(script, 'utf8')).replace(/^\/\/# sourceMappingURL.*$/m, ''),
    'window.algoWeek = weekOf(EventCalendar, style);',
  ].join('\n');
  const stdin = { contents, resolveDir: path.join(browserDirectory, 'bells') };
  return bundle({ stdin, minify: true, loader: { '.css': 'text' } }, [calendar]);
}

/**
 * Bundles the drawings of lights and displays, which look as in the panel of the virtual device.
 * A dialog loads the drawings when it has something to draw.
 */
export function bundlePictures(): Promise<string> {
  const entryPoints = [path.join(browserDirectory, 'pictures', 'script.ts')];
  return bundle({ entryPoints, minify: true, loader: { '.css': 'text' } });
}

/**
 * Bundles the menus of a form: the fields to add and the targets to select. The script is loaded on first
 * use.
 */
export function bundleFields(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'form', 'menus', 'script.ts')], minify: true });
}

/**
 * Bundles the tools that send requests to devices and show the answers.
 * The tools have their own script, since a dialog that the user only reads does not need them.
 */
export function bundleTools(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'tools', 'script.ts')], minify: true });
}

/** Bundles the sidebar, which is loaded when it is first shown. */
export function bundleSidebar(): Promise<string> {
  const entryPoints = [path.join(browserDirectory, 'sidebar', 'script.ts')];
  return bundle({ entryPoints, minify: true, loader: { '.css': 'text' } });
}
