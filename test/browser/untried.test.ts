import assert from 'node:assert/strict';
import type { Editor } from './editor';
import { editorSession } from './session';

const flow = [
  { id: 'tab', type: 'tab', label: 'Test' },
  { id: 'dropped', type: 'algo-scheduler', z: 'tab', x: 200, y: 100, wires: [[]] },
];

describe('the first dialog of a new node', function () {
  this.timeout(240_000);
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  it('has nothing red before somebody has come to it and left it empty', async () => {
    const { page } = editor;
    const red = () =>
      page.evaluate<string[]>(`(() => {
      const form = document.querySelector('#dialog-form');
      const color = (one) => getComputedStyle(one).getPropertyValue('--red-ui-form-input-border-error-color');
      const isRed = (one) => one.checkVisibility() && one.matches('.input-error') && color(one) === color(form);
      const all = [...form.querySelectorAll('select, .red-ui-typedInput-container')];
      return all.filter(isRed).map((one) => one.id || one.closest('.form-row').dataset.field);
    })()`);
    await page.evaluate("RED.nodes.node('dropped').changed = true");
    await editor.edit('dropped');
    const operation = page.locator('#node-input-operation');
    assert.deepEqual(await red(), []);
    await operation.focus();
    await page.locator('#node-input-name').focus();
    assert.deepEqual(await red(), ['node-input-operation']);
    await operation.selectOption('sync');
    const bells = page.getByRole('textbox', { name: 'Bells' });
    await bells.waitFor();
    assert.deepEqual(await red(), []);
    await bells.focus();
    await operation.focus();
    assert.deepEqual(await red(), ['bells']);
    await editor.done('#node-dialog-cancel');
    await editor.edit('dropped');
    assert.deepEqual(await red(), ['node-input-device', 'node-input-operation']);
    await editor.done('#node-dialog-cancel');
  });
});
