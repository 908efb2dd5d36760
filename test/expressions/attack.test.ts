import assert from 'node:assert/strict';
import { weaknessOf } from './attack';
import { repeats } from './find';

describe('the attack on regular expressions', () => {
  const weak: readonly RegExp[] = [
    /^\s*-?\d+\s*°?\s*[CF]?\s*$/,
    /\d+(?:\.\d+)+/,
    /<(script|style)\b.*?<\/\1\s*>/gis,
    /(?<word>\w+)\s*=\s*\k<word>;/,
  ];
  for (const expression of weak) {
    it(`finds the weakness of ${expression}`, () => {
      assert.ok(repeats(expression));
      // On a machine that has other work, what has no end may be cut off first.
      assert.match(weaknessOf({ expression }) ?? '', /characters take|does not end/);
    });
  }

  it('ends what does not end', () => {
    assert.match(weaknessOf({ expression: /^(?:a+)+$/ }, 500) ?? '', /does not end/);
  });

  it('knows that to part a text is more than to find a place in it', () => {
    const expression = /,(?=.*)/s;
    assert.equal(weaknessOf({ expression }), undefined);
    assert.match(weaknessOf({ expression, splits: true }) ?? '', /characters take/);
  });
});
