import assert from 'node:assert/strict';
import { type Definition, definitionsIn, keysOf, objectAt, property, read } from './pages';

/** The dialogs of the watching nodes (docs/contract.md 2.3): what each has of its own, in its place. */
const watching: Readonly<Record<string, { readonly interval: string; readonly own: readonly string[] }>> = {
  status: { interval: '10', own: ['report', 'fields', 'ignore', 'counters'] },
  'relay-input': { interval: '1', own: ['input', 'edge', 'debounce'] },
  'console-events': { interval: '1', own: [] },
};

describe('the dialogs of the watching nodes', () => {
  for (const [resource, { interval, own }] of Object.entries(watching)) {
    const page = read('dist', 'nodes', `${resource}.html`);
    const [{ object }] = definitionsIn(page) as [Definition];

    it(`have the properties of the contract for algo-${resource}`, () => {
      const defaults = objectAt(object, 'defaults');
      const shared = ['name', 'target', 'device', 'group', 'interval', 'initial', 'misses', 'adaptive'];
      assert.deepEqual(keysOf(defaults).sort(), [...shared, ...own].sort());
      assert.equal(property(objectAt(defaults, 'interval'), 'value')?.getText(), interval);
      const kinds = ['category', 'inputs', 'outputs'].map((name) => property(object, name)?.getText());
      assert.deepEqual(kinds, ['"algo"', '1', '2']);
    });

    it(`have a row for each of them, those of algo-${resource} alone in the middle`, () => {
      const rows = [...page.matchAll(/<(?:input|select)[^>]* id="node-input-([^"]+)"/g)].map(
        ([, name]) => name,
      );
      assert.deepEqual(rows, [
        'name',
        'target',
        'device',
        'group',
        ...own,
        'interval',
        'initial',
        'misses',
        'adaptive',
      ]);
    });

    it(`say in one place what algo-${resource} shares with the others`, () => {
      assert.doesNotMatch(
        read('nodes', `${resource}.html`),
        /node-input-(?:name|target|device|group|misses|adaptive)|outputLabels/,
      );
    });
  }

  it('wait for an input that closes unless somebody wants more: a deploy must set nothing off', () => {
    const [{ object }] = definitionsIn(read('dist', 'nodes', 'relay-input.html')) as [Definition];
    const edge = objectAt(objectAt(object, 'defaults'), 'edge');
    assert.equal(property(edge, 'value')?.getText(), '"rising"');
  });
});
