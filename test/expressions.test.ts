import assert from 'node:assert/strict';
import { weaknessOf } from './expressions/attack';
import { attackedBefore, hashOf, recordAttacked } from './expressions/attacked';
import { expressionsIn, madeOfTextIn } from './expressions/find';

/** Reads a command line, which is no text of a device or a message. */
const ownFolder = 'src/virtual-device/command-line/';

/** Where texts of devices and messages come by. */
const folders = ['src/bells', 'src/catalogue', 'src/client', 'src/runtime', 'src/virtual-device', 'nodes'];

describe('a regular expression that may see the text of a device or a message', () => {
  for (const folder of folders) {
    it(`is written where it can be read, in ${folder}`, () => assert.deepEqual(madeOfTextIn(folder), []));
  }

  it('is found where there is one', () => {
    const found = expressionsIn('src/client').map(({ place, splits }) => `${fileOf(place)} ${splits}`);
    assert.ok(found.includes('src/client/settings.ts false'));
    assert.ok(found.includes('src/client/response.ts true'));
    const made = madeOfTextIn('test/expressions').map(fileOf);
    assert.deepEqual(made, ['test/expressions/find.ts', 'test/expressions/samples.ts']);
  });

  const withstood = new Set<string>();
  const seen = folders.flatMap(expressionsIn).filter(({ place }) => !place.startsWith(ownFolder));
  const attacked = seen.filter(({ expression }) => repeats(expression));
  const once = new Map(attacked.map((one) => [hashOf(one), one]));
  for (const [hash, { place, expression, splits }] of once) {
    if (attackedBefore.has(hash)) continue;
    it(`takes time in proportion to it: ${expression} (${place})`, () => {
      assert.equal(weaknessOf({ expression, splits }), undefined);
      withstood.add(hash);
    });
  }

  it(`was attacked here, or is one of the ${attackedBefore.size} in attacked.json`, () => {
    const all = [...once.keys()];
    assert.ok(all.length > 100, `${all.length} expressions`);
    assert.deepEqual(
      all.filter((hash) => !withstood.has(hash) && !attackedBefore.has(hash)),
      [],
    );
    recordAttacked(all);
  });
});

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

/** An expression that repeats nothing takes a limited time at each place of a text. */
function repeats({ source }: RegExp): boolean {
  return /[*+{]/.test(source);
}

function fileOf(place: string): string {
  return place.replace(/:\d+$/, '');
}
