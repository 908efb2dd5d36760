import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { openPanel } from './open-panel';
import { editorSession } from './session';

const device = { type: 'algo-device', auth: 'standard', certificate: 'verify', timeout: 10 };
const flow = [
  { id: 'tab', type: 'tab', label: 'Test' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8063', firmware: '5.7', auth: 'standard', port: 0 },
  { ...device, id: 'door', name: 'Door', virtual: 'virtual' },
  { ...device, id: 'hall', name: 'Hall', address: '192.0.2.1' },
  {
    ...{ id: 'lock', type: 'algo-door', z: 'tab', x: 200, y: 80, wires: [[]], name: '', target: 'device' },
    ...{ device: 'door', operation: 'lock', parametersType: 'form', form: {} },
  },
  {
    ...{ id: 'bell', type: 'algo-relay-input', z: 'tab', x: 200, y: 160, wires: [[], []], name: '' },
    ...{ target: 'device', device: 'door', input: 'relay', edge: 'both', interval: '', misses: '' },
  },
  {
    ...{ id: 'alert', type: 'algo-alert', z: 'tab', x: 200, y: 240, wires: [[], []], name: '' },
    ...{ target: 'device', device: 'door', actions: [], priority: 5, endAfter: '' },
  },
];

const button = `.algo-tools button:has-text("${wording('sidebar:details.panel')}")`;

describe('the panel of a virtual device', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  afterEach(async () => {
    await editor.page.bringToFront();
    await editor.page.evaluate(
      "document.querySelector('#node-config-dialog-cancel, #node-dialog-cancel')?.click()",
    );
    await editor.page.locator('.red-ui-tray').waitFor({ state: 'detached' });
  });

  for (const id of ['lock', 'bell', 'alert']) {
    it(`opens from the dialog of a node that has to do with it (${id})`, async () => {
      await editor.edit(id);
      const panel = await openPanel(editor, button);
      assert.match(panel.url(), /\/algo\/virtual\/virtual\/\?lang=en-US$/);
      await panel.close();
    });
  }

  it('opens from the dialog of its device', async () => {
    await editor.editConfig('algo-device', 'door');
    const panel = await openPanel(editor, button);
    assert.match(panel.url(), /\/algo\/virtual\/virtual\/\?lang=en-US$/);
    await panel.close();
  });

  it('is not offered where there is none, and as soon as there is one', async () => {
    await editor.editConfig('algo-device', 'hall');
    assert.equal(await editor.page.locator(button).isVisible(), false);
    await editor.page.locator('#node-config-input-virtual').selectOption('virtual');
    await editor.page.locator(button).waitFor();
  });
});
