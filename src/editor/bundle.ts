import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { operationRequirements } from './requirements';

/** Root folder of this package. `__dirname` is the folder of the compiled file, in `dist`. */
const packageRoot = path.resolve(__dirname, '..', '..', '..');

export const browserDirectory = path.join(packageRoot, 'src', 'editor', 'browser');

/**
 * License files of each package that a bundle may contain. If a package contains no license file,
 * `src/editor/licenses` has a copy of its license.
 */
const licenses = {
  papaparse: ['node_modules/papaparse/LICENSE'],
  '@event-calendar/build': ['src/editor/licenses/event-calendar.txt', 'src/editor/licenses/svelte.txt'],
} as const;

async function licenseComment(packages: readonly (keyof typeof licenses)[]): Promise<string> {
  const files = packages.flatMap((name) => licenses[name]);
  const texts = await Promise.all(files.map((file) => readFile(path.join(packageRoot, file), 'utf8')));
  return texts.length === 0 ? '' : `/*!\n${texts.join('\n')}*/`;
}

/**
 * An esbuild plugin that removes the English texts of phrases and reasons, and keeps the keys. A page looks
 * up the texts in the editor's language (`FormatPhrase`), so the English texts would only add size.
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
 * The bundle includes modules of the catalogue, so that a dialog checks values with the same code as the
 * runtime.
 * @param entry options for esbuild, with at least an entry point
 * @param packages the packages that the bundle may contain; their license texts are added
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

/** The scripts that a page loads on demand, by the name of their file, each with its first module. */
const scripts = {
  alert: path.join(browserDirectory, 'alert', 'script.ts'),
  bells: path.join(browserDirectory, 'bells', 'script.ts'),
  device: path.join(browserDirectory, 'tools', 'script.ts'),
  fields: path.join(browserDirectory, 'form', 'menus', 'script.ts'),
  pictures: path.join(browserDirectory, 'pictures', 'script.ts'),
  rows: path.join(browserDirectory, 'table', 'row-reader.ts'),
  sidebar: path.join(browserDirectory, 'sidebar', 'script.ts'),
  support: path.join(browserDirectory, 'support', 'script.ts'),
  virtual: path.join(browserDirectory, 'virtual', 'script.ts'),
};

/** Returns the content of each script by its name. */
export async function bundleScripts(): Promise<Map<string, string>> {
  const named = Object.entries(scripts).map(async ([name, file]) => {
    const packages = name === 'rows' ? (['papaparse'] as const) : [];
    const entry = { entryPoints: [file], minify: true };
    return [name, await bundle({ ...entry, loader: { '.css': 'text' } }, packages)] as const;
  });
  return new Map([...(await Promise.all(named)), ['week', await bundleWeek()]]);
}

/** The package that draws the week view. Its script is not a module, so a bundle cannot import the script. */
const calendar = '@event-calendar/build';

async function bundleWeek(): Promise<string> {
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
