import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { operationRequirements } from './requirements';

/** Where this package is, seen from its build. */
const packageRoot = path.resolve(__dirname, '..', '..', '..');

/** The sources of the shared script. */
export const browserDirectory = path.join(packageRoot, 'src', 'editor', 'browser');

/** Where the licence texts of a package are that may get into a bundle: its own, or ours where it brings none. */
const licenses = {
  papaparse: ['node_modules/papaparse/LICENSE'],
  '@event-calendar/build': ['src/editor/licenses/event-calendar.txt', 'src/editor/licenses/svelte.txt'],
} as const;

/** The licence texts of packages as a comment, which goes wherever the bundle goes. */
async function licenseComment(packages: readonly (keyof typeof licenses)[]): Promise<string> {
  const files = packages.flatMap((name) => licenses[name]);
  const texts = await Promise.all(files.map((file) => readFile(path.join(packageRoot, file), 'utf8')));
  return texts.length === 0 ? '' : `/*!\n${texts.join('\n')}*/`;
}

/**
 * The English of what errors and logs say is in no page, since a page says it in the words of its own language
 * (`Say`). What would show it all the same shows its key.
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
 * Modules as one script for a page, which has neither modules nor packages: those of the dialogs, and
 * those of the catalogue that they import, so that a dialog runs the very code that the runtime runs.
 * @param entry what esbuild is to begin with
 * @param packages those that may get in, with their licence texts
 * @throws Error when any other gets in, since few packages are made for a page
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

/** The list of actions in the dialog of an alert, which loads this list when it opens. */
export function bundleAlert(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'alert', 'script.ts')], minify: true });
}

/** What marks what the targets of an action lack, loaded when its dialog opens. */
export function bundleLacks(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'lacks', 'script.ts')], minify: true });
}

/**
 * What reads rows from a spreadsheet or a CSV file. It is a file of its own, since few people ever need it: a
 * group's dialog loads it when it is wanted, and says so when it cannot.
 */
export function bundleReader(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'table', 'row-reader.ts')], minify: true }, [
    'papaparse',
  ]);
}

/** The rows in the dialog of `algo-virtual`, loaded when one opens. */
export function bundleVirtual(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'virtual', 'script.ts')], minify: true });
}

/** What helps with a scheduler's dialog: a file of its own, loaded when one opens. */
export function bundleBells(): Promise<string> {
  const entryPoints = [path.join(browserDirectory, 'bells', 'script.ts')];
  return bundle({ entryPoints, minify: true, loader: { '.css': 'text' } });
}

/** The calendar that others have made, a script that is no module. */
const calendar = '@event-calendar/build';

/** What draws weeks: loaded when somebody wants to see them. */
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

/** What draws lights and displays as the panel of the virtual device does: loaded when there is something to draw. */
export function bundlePictures(): Promise<string> {
  const entryPoints = [path.join(browserDirectory, 'pictures', 'script.ts')];
  return bundle({ entryPoints, minify: true, loader: { '.css': 'text' } });
}

/** What helps to fill a form in: loaded when somebody reaches for it. */
export function bundleFields(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'form', 'menus', 'script.ts')], minify: true });
}

/**
 * What asks devices and shows what they say. It is a file of its own, since a dialog that is opened to be read
 * needs none of it.
 */
export function bundleTools(): Promise<string> {
  return bundle({ entryPoints: [path.join(browserDirectory, 'tools', 'script.ts')], minify: true });
}

/** The sidebar, loaded when it is first shown. */
export function bundleSidebar(): Promise<string> {
  const entryPoints = [path.join(browserDirectory, 'sidebar', 'script.ts')];
  return bundle({ entryPoints, minify: true, loader: { '.css': 'text' } });
}
