import assert from 'node:assert/strict';
import { type Editor, textOf } from './editor';
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
  ['firmware', ['system']],
  ['fire', ['alert', 'emergency', 'relay-input']],
  ['mqtt', ['remote', 'site']],
  ['tts', ['announce']],
  ['say', ['announce']],
  ['speech', ['announce']],
  ['holiday', ['scheduler']],
  ['snow', ['scheduler']],
  ['offline', ['status', 'supervision']],
  ['test', ['virtual']],
  ['simulate', ['virtual']],
  ['acknowledge', ['alert']],
  ['prometheus', ['supervision']],
  ['callback', ['webhook']],
  ['button', ['relay-input', 'console-events', 'webhook']],
  ['door contact', ['relay-input']],
];

const everyday = [
  ...['door', 'tone', 'strobe', 'screen', 'call', 'relay', 'announce', 'alert', 'emergency', 'scheduler'],
  ...['relay-input', 'status', 'console', 'console-events', 'webhook'],
];
const tools = [
  ...[
    'supervision',
    'receipts',
    'settings',
    'files',
    'info',
    'system',
    'audio',
    'request',
    'remote',
    'site',
    'virtual',
  ],
];

describe('the palette', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  for (const [word, resources] of meant) {
    it(`finds by "${word}" ${resources.join(', ')}`, async () => {
      const search = editor.page.locator('#red-ui-palette-search input');
      // The filter hides nodes one by one; the categories around them open and close at their leisure.
      const until = (resource: string, isFound: boolean) =>
        editor.page.waitForFunction(
          `(document.querySelector('[data-palette-type="algo-${resource}"]').style.display !== 'none') === ${isFound}`,
        );
      // On the way to "paging" the filter would find what has "page"; it listens to keys.
      await search.fill(word.slice(0, -1));
      await search.pressSequentially(word.slice(-1));
      await until('receipts', false);
      for (const resource of resources) await until(resource, true);
      await search.fill('');
      await until('receipts', true);
    });
  }

  it('has two categories, whose nodes stand in the order of their use', async () => {
    const listed = (category: string) =>
      editor.page
        .locator(`#red-ui-palette-base-category-${category} .red-ui-palette-node`)
        .evaluateAll((nodes) =>
          nodes.map((node) => node.getAttribute('data-palette-type')?.slice('algo-'.length)),
        );
    assert.deepEqual(await listed('algo'), everyday);
    assert.deepEqual(await listed('algo_tools'), tools);
    const header = editor.page.locator('#red-ui-palette-header-algo_tools');
    assert.equal(await textOf(header), 'Algo tools');
  });

  it('has labels that break between words alone', async () => {
    assert.deepEqual(await brokenLabels(editor.page), []);
  });
});
