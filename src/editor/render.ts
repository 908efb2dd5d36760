import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import { everyGroup } from '../catalogue';
import { phrases } from '../catalogue/phrases';
import { knownModels } from '../catalogue/product-classes';
import { renderAccess } from './access';
import { paletteLabel, renderAction, renderChecks } from './action';
import { browserDirectory, bundle, bundleScripts } from './bundle';
import { renderDeliveryRows } from './delivery';
import { renderForm } from './form';
import { renderActionHelp, renderSharedHelp } from './help';
import { fill } from './html';
import { renderProperties } from './properties';
import { renderRows } from './row';
import { deviceRow, groupRow, targetDefaults } from './target';
import { textsOf, wordsOfItsOwn } from './translation';
import { valuesOf } from './values';
import { renderWatch } from './watch';
import { completed, mergeWords, phraseFormatter, type Words, wordsOf } from './words';

const packageRoot = path.resolve(__dirname, '..', '..', '..');

/** The language of the catalogue and of the pages in `nodes`. The other languages are translations. */
const source = 'en-US';

/**
 * Writes the files of the editor into `dist` and `resources`, from `nodes/*.html`, `icons`, `locales` and the
 * catalogue.
 * `dist/nodes` gets a page for each node, words and help for each node and language, and the page of the
 * plugin with the shared script.
 */
export async function renderNodes(root = packageRoot): Promise<void> {
  const output = path.join(root, 'dist', 'nodes');
  const languages = await readdir(path.join(root, 'locales'));
  for (const language of languages) await mkdir(path.join(output, 'locales', language), { recursive: true });
  const pages = (await readdir(path.join(root, 'nodes'))).filter((file) => file.endsWith('.html'));
  await Promise.all(pages.map((page) => renderNode(root, output, path.basename(page, '.html'), languages)));
  await writeFile(path.join(output, 'algo-forms.html'), await renderPlugin());
  for (const language of languages) {
    const words = {
      ...(await wordsFrom(root, language, 'sidebar')),
      // From this text, the shared script knows which language the editor has loaded.
      sentences: language,
      shared: await sharedWords(root, language),
    };
    await writeFile(path.join(output, 'locales', language, 'algo-forms.json'), JSON.stringify(words));
  }
  await mkdir(path.join(root, 'resources'), { recursive: true });
  for (const [name, script] of await bundleScripts()) {
    await writeFile(path.join(root, 'resources', `algo-${name}.js`), script);
  }
  for (const language of languages.filter((one) => one !== source)) {
    const texts = await Promise.all(['phrases', 'reasons'].map((name) => wordsFrom(root, language, name)));
    const target = path.join(root, 'resources', `algo-sentences-${language}.json`);
    await writeFile(target, JSON.stringify(texts.reduce(mergeWords)));
  }
  for (const language of languages) await renderPanelWords(root, language);
  await cp(path.join(root, 'icons'), path.join(output, 'icons'), { recursive: true });
}

/**
 * Writes the words of the virtual device's panel next to the panel's page, since the virtual device uses no
 * other part of this package.
 */
async function renderPanelWords(root: string, language: string): Promise<void> {
  const texts = await Promise.all([source, language].map((one) => wordsFrom(root, one, 'panel')));
  const folder = path.join(root, 'dist', 'src', 'virtual-device', 'panel', 'words');
  await mkdir(folder, { recursive: true });
  const whole = Object.fromEntries(textsOf(texts.reduce(mergeWords)));
  await writeFile(path.join(folder, `${language}.json`), JSON.stringify(whole));
}

async function renderNode(
  root: string,
  output: string,
  resource: string,
  languages: readonly string[],
): Promise<void> {
  const [definition, help] = splitPage(resource, await read(root, 'nodes', `${resource}.html`));
  const group = everyGroup.find((one) => one.resource === resource);
  const rendered = group && wordsOf(group);
  const dialog = rendered && { action: renderAction(group), form: renderForm(group, rendered.keyOf) };
  const english = mergeWords(
    await wordsIn(root, source, resource),
    rendered ? { ...rendered.words, phrase: phrases } : {},
  );
  const filled = fill(definition, {
    models: renderModels(),
    ...renderChecks(),
    ...{ paletteLabel, targetDefaults, deviceRow, groupRow },
    ...renderWatch(),
    ...renderAccess(),
    ...dialog,
  });
  const page = renderRows(filled, english);
  // Removes the indentation: the editor loads all pages when it starts, so each page should be small.
  await writeFile(path.join(output, `${resource}.html`), page.replace(/^ +/gm, ''));

  for (const language of languages) {
    const isSource = language === source;
    const words = isSource ? english : await translated(root, language, resource);
    const target = path.join(output, 'locales', language, resource);
    const own = wordsOfItsOwn(words, await sharedWords(root, language), page);
    await writeFile(`${target}.json`, JSON.stringify(own));
    const text = isSource ? help : await read(root, 'locales', language, `${resource}.html`);
    if (!text) continue;
    const sentences = await helpIn(root, language);
    const known = mergeWords(english, words);
    const action = rendered && {
      properties: renderProperties(group, known, rendered.keyOf),
      ...renderActionHelp(group, language, sentences, known),
    };
    await writeFile(`${target}.html`, fill(text, { ...renderSharedHelp(sentences, resource), ...action }));
  }
}

async function translated(root: string, language: string, resource: string): Promise<Words> {
  const own = await wordsIn(root, language, resource);
  const group = everyGroup.find((one) => one.resource === resource);
  const phrase = await wordsFrom(root, language, 'phrases');
  if (!group || Object.keys(phrase).length === 0) return own;
  const values = await wordsFrom(root, language, 'values');
  const value = Object.fromEntries(
    valuesOf(group).flatMap((one) => (values[one] ? [[one, values[one]]] : [])),
  );
  return { ...completed(group, wordsOf(group), own, phraseFormatter(phrase)), phrase, value };
}

async function helpIn(root: string, language: string): Promise<Words> {
  const texts = await Promise.all([source, language].map((one) => wordsFrom(root, one, 'help')));
  return texts.reduce(mergeWords);
}

function renderModels(): string {
  return knownModels.map((model) => `<option value="${model}"></option>`).join('');
}

function splitPage(resource: string, page: string): [definition: string, help: string] {
  const start = page.indexOf('<script type="text/markdown"');
  if (start < 0) throw new Error(`nodes/${resource}.html has no help`);
  return [page.slice(0, start), page.slice(start)];
}

/**
 * Additional locale files for the dialogs with a table (`rows`) or with the access settings of a device
 * (`device`), keyed by node.
 */
const wordsBeneath: Readonly<Record<string, readonly string[]>> = {
  group: ['device', 'rows'],
  scheduler: ['rows'],
  settings: ['rows'],
  supervision: ['rows'],
};

/** Returns the words that all nodes share. The editor loads these words only once, as words of the plugin. */
async function sharedWords(root: string, language: string): Promise<Words> {
  const phrase = language === source ? phrases : await wordsFrom(root, language, 'phrases');
  return { ...(await wordsFrom(root, language, 'shared')), phrase };
}

async function wordsIn(root: string, language: string, resource: string): Promise<Words> {
  const names = ['shared', ...(wordsBeneath[resource] ?? []), resource];
  return (await Promise.all(names.map((name) => wordsFrom(root, language, name)))).reduce(mergeWords);
}

async function wordsFrom(root: string, language: string, name: string): Promise<Words> {
  return JSON.parse((await read(root, 'locales', language, `${name}.json`)) || '{}');
}

/** Reads a file; '' if the file does not exist, since a translation can lack files. */
async function read(...place: string[]): Promise<string> {
  try {
    return await readFile(path.join(...place), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/**
 * Renders the page of the editor plugin, with the styles and the shared script.
 * The script is inline, since a script file that fails to load would stop the whole editor.
 */
async function renderPlugin(): Promise<string> {
  const styles = ['form.css', 'group.css', 'alert.css', 'fields.css'].map((file) =>
    readFile(path.join(browserDirectory, file), 'utf8'),
  );
  const { code: style } = await transform((await Promise.all(styles)).join('\n'), {
    loader: 'css',
    minify: true,
    charset: 'utf8',
  });
  const script = await bundle({ entryPoints: [path.join(browserDirectory, 'algo-form.ts')], minify: true });
  if (/<\/script/i.test(script)) throw new Error('The shared script would end its own element');
  return `<style>${style}</style>\n${renderDeliveryRows().replace(/^ +/gm, '')}\n<script type="text/javascript">${script}</script>\n`;
}
