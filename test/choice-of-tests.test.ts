import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './fixtures/package';

interface Lists {
  readonly thorough: readonly string[];
  readonly rare: Readonly<Record<string, readonly string[]>>;
  readonly sameOnSecond: readonly string[];
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
    const names = [...lists.thorough, ...Object.keys(lists.rare), ...lists.sameOnSecond];
    assert.deepEqual(
      names.filter((name) => !tests.some((file) => file.startsWith(name))),
      [],
    );
  });

  it('names what rare tests are about by paths that are there', () => {
    const files = ['package.json', ...['src', 'test', 'scripts', 'bench'].flatMap(filesIn)];
    assert.deepEqual(
      Object.values(lists.rare)
        .flat()
        .filter((one) => !files.some((file) => file.startsWith(one))),
      [],
    );
  });
});
