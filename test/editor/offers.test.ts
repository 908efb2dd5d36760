import assert from 'node:assert/strict';
import { knownFolders, knownSettings } from '../../src/catalogue/known-names';
import { read } from './pages';

describe('what a dialog offers', () => {
  it('of settings and folders has names that stand in the documents', () => {
    const documents = read('docs', 'interface.md') + read('docs', 'field-notes.md');
    const isThere = (name: string) => documents.includes(`\`${name}\``);
    assert.deepEqual(
      [...knownSettings, ...knownFolders].filter((name) => !isThere(name)),
      [],
    );
  });
});
