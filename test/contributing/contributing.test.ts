import assert from 'node:assert/strict';
import { node, operation } from './additions';
import { Copy } from './copy';

/** The tests that know of operations and nodes. */
const concerned = [
  'architecture.test.js',
  'catalogue/*.test.js',
  'contract/*.test.js',
  'documents/documents.test.js',
  'documents/openapi.test.js',
  'documents/parameter-types.test.js',
  'documents/transcripts.test.js',
  // Not how large the pages are together, what a translator is to do next, or how core's statuses are said.
  'editor/!(bundle|languages|translate-status).test.js',
  'library/*.test.js',
  'nodes/door.test.js',
  'nodes/every-operation.test.js',
  'package/contents.test.js',
  'package/examples.test.js',
  'package/nodes.test.js',
  'runtime/device/*.test.js',
];

/** The example of the made-up node. */
const example = 'Unlock the gate when the doorbell rings';

/** Leaves something out, by its file, and what a test then says is missing. */
type Omission = readonly [file: string | undefined, words: string];

/** Omissions that a test tells apart: it says of each what is missing. */
type Together = readonly Omission[];

/** Every file that is written or changed for them. */
const added = [...Object.keys(operation), ...Object.keys(node)];

const [entry, transcripts, route] = Object.keys(operation);
const inNode = (name: string) => Object.keys(node).find((file) => file.endsWith(name));

const omissions: Readonly<Record<string, readonly Together[]>> = {
  'contract/coverage.test.js': [
    [
      [entry, 'door/hold: the catalogue has no entry'],
      [inNode('contract/gate.ts'), 'gate/lock: no transcript sends it'],
    ],
    [
      [transcripts, 'door/hold: no transcript sends it'],
      [inNode('routes/index.ts'), 'gate/lock: the virtual device has no route POST /api/controls/gate/lock'],
    ],
    [
      [route, 'door/hold: the virtual device has no route POST /api/controls/door/hold'],
      [inNode('catalogue/index.ts'), 'gate/lock: the catalogue has no entry'],
    ],
  ],
  'package/nodes.test.js': [
    [
      [inNode('catalogue/index.ts'), 'gate in src/catalogue/index.ts'],
      [inNode('icons/gate.svg'), 'icons/gate.svg'],
    ],
    [
      [inNode('nodes/gate.ts'), 'nodes/gate.ts'],
      [inNode('nodes/gate.html'), 'nodes/gate.html'],
      [inNode('rings.json'), 'an example with algo-gate'],
    ],
    [[inNode('package.json'), 'gate in package.json under node-red.nodes']],
  ],
};

describe('one more operation and one more node, in a copy of this repository', () => {
  let copy: Copy;

  before(async () => {
    copy = await Copy.make();
    for (const add of [...Object.values(operation), ...Object.values(node)]) await add(copy);
    await copy.run('scripts/documents.mjs');
    await copy.run('scripts/build.mjs');
  });

  after(() => copy?.remove());

  it('touch the files that CONTRIBUTING lists, and every test is content', async () => {
    const all = await copy.test(concerned);
    // The other examples are none of its business, and take their time.
    const its = await copy.test(['nodes/examples.test.js'], example);
    assert.deepEqual([...all.failed, ...its.failed], []);
    for (const name of ['door/hold', 'gate/munlock', 'algo-gate', example]) {
      assert.ok(
        [...all.passed, ...its.passed].some((title) => title.includes(name)),
        `no test speaks of ${name}`,
      );
    }
  });

  it('are as the linter wants them', () =>
    copy.run('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...added));

  for (const [file, those] of Object.entries(omissions)) {
    for (const together of those) {
      const left = together.map(([name]) => String(name));
      it(`are missed without ${left.join(' and ')}: ${file}`, () =>
        copy.without(left, async () => {
          const { failed } = await copy.test([file]);
          const missed = together.filter(([, words]) => failed.some((reason) => reason.includes(words)));
          assert.deepEqual(missed, together, failed.join('\n') || 'nothing is missed');
        }));
    }
  }
});
