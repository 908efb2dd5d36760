import assert from 'node:assert/strict';
import { isHeavier, lengthInJson } from '../src/json';

describe('the weight of what was read from JSON', () => {
  it('is never more than its length', () => {
    for (const json of ['', 'x', 0, 12, true, null, [], {}, [1, 'two', { three: [3] }], { a: { b: 'c' } }]) {
      assert.equal(isHeavier(json, JSON.stringify(json).length, lengthInJson), false, JSON.stringify(json));
    }
  });

  it('is that of texts, of names and of the number of values', () => {
    const texts = ['x'.repeat(100), { ['x'.repeat(100)]: 1 }, [['x'.repeat(100)]], new Array(101).fill(0)];
    for (const json of texts) {
      assert.equal(isHeavier(json, 100, lengthInJson), true, JSON.stringify(json));
      assert.equal(isHeavier(json, 110, lengthInJson), false, JSON.stringify(json));
    }
    assert.equal(
      isHeavier([[], [[]]], 4, () => 1),
      false,
    );
    assert.equal(
      isHeavier([[], [[], []]], 4, () => 1),
      true,
    );
  });

  it('is looked for no further than need be', () => {
    let reads = 0;
    const list = new Proxy(new Array(1_000_000).fill(0), {
      get(target, name) {
        reads += 1;
        return Reflect.get(target, name);
      },
    });
    assert.equal(isHeavier({ list }, 1_000, lengthInJson), true);
    assert.ok(reads < 10, `${reads} reads`);
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    assert.equal(isHeavier(deep, 100_000, lengthInJson), false);
  });
});
