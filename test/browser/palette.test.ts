import assert from 'node:assert/strict';
import type { Editor } from './editor';
import { editorSession, editorSessionIn } from './session';

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
});

for (const language of ['en-US', 'de', 'es', 'fr']) {
  describe(`the labels of the palette in an editor set to ${language}`, () => {
    let editor: Editor;
    editorSessionIn(language, flow, (opened) => {
      editor = opened;
    });

    it('break between words alone', async () => {
      const nodes = editor.page.locator('.red-ui-palette-node[data-palette-type^="algo-"]');
      const shown = await nodes.evaluateAll((found) =>
        found.map((node) => ({
          label: node.getAttribute('data-palette-label') ?? '',
          lines: node.querySelector('.red-ui-palette-label')?.innerHTML.split('<br>') ?? [],
        })),
      );
      assert.ok(shown.length > 15, String(shown.length));
      const wordsOf = (line: string) => line.split(/[ -]/).filter((word) => word !== '');
      // The label of the element goes on with words to search for.
      const broken = shown.filter(({ label, lines }) => {
        const words = lines.flatMap(wordsOf);
        return words.join(' ') !== wordsOf(label).slice(0, words.length).join(' ');
      });
      assert.deepEqual(broken, []);
    });
  });
}
