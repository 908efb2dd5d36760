import assert from 'node:assert/strict';
import { weaknessOf } from './expressions/attack';
import { attackedBefore, hashOf, recordAttacked } from './expressions/attacked';
import { expressionsIn, madeOfTextIn, repeats } from './expressions/find';

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

  it('is found in more than a hundred places', () => {
    assert.ok(once.size > 100, `${once.size} expressions`);
    recordAttacked([...once.keys()].filter((hash) => withstood.has(hash) || attackedBefore.has(hash)));
  });
});

function fileOf(place: string): string {
  return place.replace(/:\d+$/, '');
}
