import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './fixtures/package';

interface Lists {
  readonly rare: Readonly<Record<string, readonly string[]>>;
  readonly sameOnSecond: readonly string[];
  readonly onSecondInBrowser: readonly string[];
  readonly editor: readonly string[];
  importedBy(files: readonly string[]): Iterable<string>;
}

/** A name that fits nothing would leave out nothing, and a path that fits nothing would never bring a test back. */
describe('the choice of tests', () => {
  const filesIn = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.posix.join(folder, file.split(path.sep).join('/')),
    );
  let lists: Lists;

  before(async () => {
    lists = await import(pathToFileURL(path.join(root, 'scripts/choose-tests.mjs')).href);
  });

  it('names tests that are there', () => {
    const tests = filesIn('test').map((file) => file.slice('test/'.length));
    const names = [...Object.keys(lists.rare), ...lists.sameOnSecond, ...lists.onSecondInBrowser];
    assert.deepEqual(
      names.filter((name) => !tests.some((file) => file.startsWith(name))),
      [],
    );
  });

  it('names what rare tests are about by paths that are there', () => {
    const folders = ['src', 'test', 'scripts', 'bench', 'nodes', 'locales', 'icons', 'docs', 'examples'];
    const files = ['package.json', 'package-lock.json', ...folders.flatMap(filesIn)];
    assert.deepEqual(
      Object.values(lists.rare)
        .flat()
        .filter((one) => !files.some((file) => file.startsWith(one))),
      [],
    );
  });

  it('knows all that the scripts of an editor import', () => {
    const scripts = filesIn('dist/src/editor').filter((file) => file.endsWith('.js'));
    const imported = [...lists.importedBy(scripts.map((file) => path.join(root, file)))];
    const sources = imported.map((file) => path.relative(path.join(root, 'dist'), file));
    assert.ok(sources.length > 200, String(sources.length));
    assert.deepEqual(
      sources.filter((file) => !lists.editor.some((one) => file.startsWith(one.replace(/\.ts$/, '.js')))),
      [],
    );
  });
});
