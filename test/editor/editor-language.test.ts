import assert from 'node:assert/strict';
import { editorLanguage } from '../../src/editor/browser/language/editor-language';
import { standInBrowser } from './stand-in-browser';

describe("the editor's language", () => {
  for (const [language, set, expected] of [
    ['en-US', null, 'en-US'],
    ['de-AT', null, 'de-AT'],
    ['en-US', 'es', 'es'],
    ['en-US', 'es-es', 'es-ES'],
    ['fr', '', 'fr'],
    ['fr', 'not a language', 'fr'],
    ['?', null, undefined],
  ] as const) {
    it(`is ${expected} in a browser of ${language} that is set to ${set}`, () => {
      const takeAway = standInBrowser(language, set);
      try {
        assert.equal(editorLanguage(), expected);
      } finally {
        takeAway();
      }
    });
  }
});
