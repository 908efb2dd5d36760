import assert from 'node:assert/strict';
import { strobe } from '../../src/catalogue/strobe';
import { everyValue, valuesOf } from '../../src/editor/values';
import { textsIn } from './pages';

describe('the words for values', () => {
  it('are those of choices that are words, and not of names, codes and numbers', () => {
    const values = everyValue();
    for (const value of ['red', 'Rotate Fast', 'x-large', 'bottom-left', 'pageMic', 'skip', 'local']) {
      assert.ok(values.includes(value), value);
    }
    for (const value of ['inter', 'GET', '12h', '255', 'rtp', 'netdc1', 'image', 'school_time', 'true']) {
      assert.ok(!values.includes(value), value);
    }
  });

  it('are with the nodes that have them, and in no English', () => {
    const german = textsIn('dist', 'nodes', 'locales', 'de', 'strobe.json');
    const values = [...german.keys()].filter((key) => key.startsWith('value.'));
    assert.deepEqual(
      values,
      valuesOf(strobe).map((value) => `value.${value}`),
    );
    assert.equal(german.get('value.red'), 'rot');
    assert.equal(textsIn('dist', 'nodes', 'locales', 'de', 'tone.json').get('value.red'), undefined);
    assert.equal(textsIn('dist', 'nodes', 'locales', 'en-US', 'strobe.json').get('value.red'), undefined);
  });

  it('differ from each other within a language, where one dialog has them', () => {
    for (const language of ['de', 'es', 'fr']) {
      const words = textsIn('locales', language, 'values.json');
      const spoken = valuesOf(strobe).map((value) => words.get(value));
      assert.equal(new Set(spoken).size, spoken.length, language);
    }
  });
});
