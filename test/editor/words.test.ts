import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { mergeWords, wordAt, wordsOf } from '../../src/editor/words';
import { read, resources, textsIn, wordsOfNode } from './pages';

/** What the runtime shows under a node: outcomes and error codes of the contract. */
const statuses = [
  ...['sending', 'several', 'confirmed', 'accepted', 'failed', 'unknown', 'skipped', 'expired'],
  ...['superseded', 'dry-run'],
  ...['INVALID_PARAMETER', 'NOT_CONFIGURED', 'NOT_SUPPORTED', 'UNREACHABLE', 'TLS_UNTRUSTED', 'TIMEOUT'],
  ...['AUTHENTICATION', 'REFUSED', 'PROTOCOL', 'EXPIRED', 'QUEUE_FULL', 'SUPERSEDED', 'ABORTED'],
];

describe('the words of the dialogs', () => {
  for (const resource of resources) {
    const page = read('dist', 'nodes', `${resource}.html`);
    const texts = textsIn('dist', 'nodes', 'locales', 'en-US', `${resource}.json`);

    it(`are all there for algo-${resource}`, () => {
      const inHtml = [...page.matchAll(/data-i18n="(?:\[[\w-]+\])?([^"]+)"/g)].map(([, key = '']) => key);
      const inScript = [...page.matchAll(/\b_\("([^"]+)"/g)].map(([, key = '']) => key);
      assert.ok(inHtml.length > 0 && inScript.length > 0);
      assert.deepEqual(
        [...inHtml, ...inScript].filter((key) => !texts.get(key)),
        [],
      );
    });

    it(`label every control of algo-${resource}`, () => {
      const controls = [...page.matchAll(/<(?:input|select)[^>]* id="([^"]+)"/g)];
      const shown = controls.filter(([tag]) => !tag.includes('type="hidden"'));
      const labelled = shown.map(([, id = '']) => id);
      assert.ok(labelled.length > 0);
      for (const id of labelled) assert.ok(page.includes(`<label for="${id}">`), id);
    });
  }

  it('have every key that the shared script asks for', () => {
    const directory = 'src/editor/browser';
    const scripts = readdirSync(path.resolve(__dirname, '../../..', directory), {
      recursive: true,
      encoding: 'utf8',
    }).filter((file) => file.endsWith('.ts'));
    const source = scripts.map((file) => read(directory, file)).join('\n');
    const keys = [
      ...source.matchAll(
        /'((?:form|invalid|others|delivery|devices|tags|rows|paste|finding|members|action|ability|preview|template)\.[\w.]+)'/g,
      ),
    ].map(([, key = '']) => key);
    const findings = [
      'required',
      'unknown',
      'entry',
      'value',
      'type',
      'json',
      'msg',
      'flow',
      'global',
      'jsonata',
      'priority',
      'priorityPath',
      'variant',
      'tooFew',
      'name',
      'twice',
    ];
    const known = new Set([
      ...wordsOfNode('en-US', 'door').keys(),
      ...wordsOfNode('en-US', 'device').keys(),
      ...wordsOfNode('en-US', 'virtual-device').keys(),
      ...wordsOfNode('en-US', 'settings').keys(),
      ...wordsOfNode('en-US', 'group').keys(),
      ...wordsOfNode('en-US', 'alert').keys(),
      ...wordsOfNode('en-US', 'scheduler').keys(),
      ...wordsOfNode('en-US', 'site').keys(),
      ...wordsOfNode('en-US', 'remote').keys(),
      ...wordsOfNode('en-US', 'supervision').keys(),
      ...wordsOfNode('en-US', 'webhook').keys(),
      ...wordsOfNode('en-US', 'announce').keys(),
    ]);
    assert.ok(keys.length > 5);
    for (const key of [...keys, ...findings.map((finding) => `form.invalid.${finding}`)]) {
      assert.ok(known.has(key), key);
    }
  });

  it('have a short status for every outcome and error', () => {
    const texts = textsIn('dist/nodes/locales/en-US/door.json');
    for (const status of statuses) {
      const text = texts
        .get(`status.${status}`)
        ?.replace('__operation__', 'upload-play')
        .replace(/__\w+__/g, '500');
      assert.ok(text, status);
      assert.ok(text.length < 20, `${status}: ${text}`);
    }
  });

  it('name the categories of the palette in every set, since any of them may be the first', () => {
    for (const resource of resources) {
      const texts = textsIn(`dist/nodes/locales/en-US/${resource}.json`);
      const labels = ['algo', 'algo_tools'].map((category) => texts.get(`palette.label.${category}`));
      assert.deepEqual(labels, ['Algo', 'Algo tools']);
    }
  });

  it('are those of the other operation where two word a field differently', () => {
    const [first, second] = [operation('one', 'Volume'), operation('two', 'Loudness')];
    const { words, keyOf } = wordsOf({ resource: 'test', operations: [first, second] });
    assert.equal(wordAt(words, `${keyOf(first, { name: 'level' })}.label`), 'Volume');
    assert.equal(wordAt(words, `${keyOf(second, { name: 'level' })}.label`), 'Loudness');
  });

  it('are merged text by text', () => {
    const merged = mergeWords({ a: { b: 'one', c: 'two' } }, { a: { c: 'zwei' } });
    assert.deepEqual(merged, { a: { b: 'one', c: 'zwei' } });
    assert.throws(() => wordAt(merged, 'a.d'), /a\.d/);
  });
});

function operation(id: string, title: string) {
  return {
    id,
    title: id,
    description: id,
    section: '4',
    route: 'POST /api/test',
    firmware: '5.4',
    products: 'all',
    repeatable: false,
    urgent: false,
    answer: 'none',
    fields: { level: { type: 'integer', title, description: title } },
    required: [],
  } as const;
}
