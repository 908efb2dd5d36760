import assert from 'node:assert/strict';
import type { Editor } from './editor';
import { brokenLabels } from './palette-labels';
import { editorSession } from './session';

const flow = [{ id: 'tab', type: 'tab', label: 'Palette' }];

/** What people search the palette for, and nodes that they mean by it. */
const meant: readonly [word: string, resources: readonly string[]][] = [
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

  for (const [word, resources] of meant) {
    it(`finds by "${word}" ${resources.join(', ')}`, async () => {
      const search = editor.page.locator('#red-ui-palette-search input');
      // On the way to "paging" the filter would find what has "page"; it listens to keys.
      await search.fill(word.slice(0, -1));
      await search.pressSequentially(word.slice(-1));
      await editor.palette('algo-receipts').waitFor({ state: 'hidden' });
      for (const resource of resources)
        assert.ok(await editor.palette(`algo-${resource}`).isVisible(), resource);
      await search.fill('');
      await editor.palette('algo-receipts').waitFor();
    });
  }

  it('has labels that break between words alone', async () => {
    assert.deepEqual(await brokenLabels(editor.page), []);
  });
});
