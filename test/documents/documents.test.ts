import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { documents } from '../../src/documents/documents';
import { anchorsOf } from '../fixtures/anchors';

const root = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('the documents', () => {
  const files = documents(root);

  const nodes = readdirSync(path.join(root, 'nodes'))
    .filter((file) => file.endsWith('.html'))
    .map((page) => `algo-${path.basename(page, '.html')}`);

  it('are three, and a page for each node', () => {
    const pages = nodes.map((name) => `docs/nodes/${name}.md`);
    const expected = ['docs/nodes.md', 'docs/operations.md', 'openapi.json', ...pages];
    assert.deepEqual(Object.keys(files).sort(), expected.sort());
    assert.deepEqual(
      readdirSync(path.join(root, 'docs', 'nodes')).sort(),
      nodes.map((name) => `${name}.md`).sort(),
    );
  });

  for (const file of Object.keys(files)) {
    it(`are up to date: npm run documents does not change ${file}`, () => {
      assert.ok(existsSync(path.join(root, file)), 'missing: npm run documents writes it');
      assert.equal(read(file), files[file]);
    });
  }

  it('show an operation with its models and what may be done with it', () => {
    const row =
      '| `munlock` | Unlocks the door for the given time. The device locks the door again by itself. | 5.5 | 8039, 8028, 8201, 8063 | no | no |';
    const [, door] = (files['docs/operations.md'] ?? '').split('## algo-door\n');
    assert.ok(door?.split('\n## ')[0]?.includes(row), door);
  });

  it('show each node once', () => {
    const shown = [...(files['docs/nodes.md'] ?? '').matchAll(/^\| \[`(algo-[a-z-]+)`/gm)];
    assert.deepEqual(shown.map(([, name]) => name).sort(), [...nodes].sort());
  });

  it('link to what is there', () => {
    const pages = Object.entries(files).filter(([file]) => file.endsWith('.md'));
    const links = pages.flatMap(([file, text]) =>
      [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => ({ file, link })),
    );
    assert.ok(links.some(({ link }) => link === '../operations.md#algo-door'));
    const gone = links.filter(({ file, link }) => {
      const [target = '', anchor] = link.split('#');
      const place = path.join(root, path.dirname(file), decodeURIComponent(target));
      return (
        !existsSync(place) || (anchor !== undefined && !anchorsOf(readFileSync(place, 'utf8')).has(anchor))
      );
    });
    assert.deepEqual(gone, []);
  });
});
