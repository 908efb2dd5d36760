import assert from 'node:assert/strict';
import type { Editor } from './editor';
import { editorSession } from './session';

const flow = [{ id: 'tab', type: 'tab', label: 'Palette' }];

/** What people search the palette for, and nodes that they mean by it. */
const meant: readonly [word: string, nouns: readonly string[]][] = [
  ['page', ['call']],
  ['announce', ['emergency']],
  ['light', ['strobe']],
  ['bell', ['scheduler']],
  ['lock', ['door']],
  ['speaker', ['tone', 'audio', 'call']],
  ['horn', ['tone', 'relay', 'alert']],
  ['siren', ['tone', 'alert', 'strobe', 'emergency']],
  ['ring', ['scheduler', 'call', 'tone']],
  ['gong', ['scheduler', 'tone']],
  ['buzzer', ['tone', 'relay', 'scheduler']],
  ['chime', ['scheduler', 'tone']],
  ['paging', ['tone', 'audio', 'call', 'emergency']],
  ['music', ['tone', 'audio']],
  ['volume', ['settings', 'audio']],
  ['fire', ['alert', 'emergency', 'relay-input']],
  ['mqtt', ['remote', 'site']],
];

describe('the palette', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  for (const [word, nouns] of meant) {
    it(`finds by "${word}" ${nouns.join(', ')}`, async () => {
      const search = editor.page.locator('#red-ui-palette-search input');
      // On the way to "paging" the filter would find what has "page"; it listens to keys.
      await search.fill(word.slice(0, -1));
      await search.pressSequentially(word.slice(-1));
      await editor.palette('algo-receipts').waitFor({ state: 'hidden' });
      for (const noun of nouns) assert.ok(await editor.palette(`algo-${noun}`).isVisible(), noun);
      await search.fill('');
      await editor.palette('algo-receipts').waitFor();
    });
  }
});
