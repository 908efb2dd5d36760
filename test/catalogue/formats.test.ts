import assert from 'node:assert/strict';
import { colorNames } from '../../src/catalogue/color-names';
import { formats, isAcceptable } from '../../src/catalogue/formats';
import type { Format } from '../../src/catalogue/operation';
import { texts } from './texts';

describe('formats', () => {
  for (const [format, { takes, refuses }] of Object.entries(texts)) {
    it(`take and refuse as ${format}`, () => {
      assert.ok(takes.length > 0 && refuses.length > 0);
      const taken = [...takes, ...refuses].filter((text) => isAcceptable(format as Format, text));
      assert.deepEqual(taken, takes);
    });
  }

  it('are all tried here', () => assert.deepEqual(Object.keys(texts).sort(), Object.keys(formats).sort()));

  it('know the names of 147 colors of SVG', () => {
    assert.equal(colorNames.size, 147);
    for (const name of ['aliceblue', 'grey', 'gray', 'lightgoldenrodyellow', 'yellowgreen']) {
      assert.ok(colorNames.has(name), name);
    }
  });
});
