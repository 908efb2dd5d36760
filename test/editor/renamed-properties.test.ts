import assert from 'node:assert/strict';
import { renamedProperties } from '../../src/catalogue/renamed-properties';
import { type Definition, definitionsIn, keysOf, objectAt, read, resources } from './pages';

/** The part of a name that stands in the `defaults` of a type. */
const rootOf = (name: string): string => name.split('.')[0] ?? '';

describe('the old names of properties', () => {
  for (const [type, renames] of Object.entries(renamedProperties)) {
    it(`of ${type} are not declared any more, and the new ones are`, () => {
      const resource = type.slice('algo-'.length);
      assert.ok(resources.includes(resource), resource);
      const [{ object }] = definitionsIn(read('dist', 'nodes', `${resource}.html`)) as [Definition];
      const declared = keysOf(objectAt(object, 'defaults'));
      for (const [old, now] of Object.entries(renames)) {
        assert.ok(declared.includes(rootOf(now)), now);
        assert.equal(declared.includes(rootOf(old)), rootOf(old) === rootOf(now), old);
      }
    });
  }

  it('are known for every action node that had them', () => {
    const resources =
      'audio call console door emergency files info relay request scheduler screen settings strobe system tone';
    for (const resource of resources.split(' ')) {
      assert.equal(renamedProperties[`algo-${resource}`]?.stream, 'split', resource);
    }
  });
});
