import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { editorSession } from './session';

// The page remembers the ids of nodes whose dialogs were done, also those of another file.
const at = { z: 'tab', x: 200, wires: [[], []] };
const flow = [
  { id: 'tab', type: 'tab', label: 'Test' },
  { ...at, id: 'first-dropped', type: 'algo-scheduler', y: 100 },
  { ...at, id: 'first-door', type: 'algo-door', operation: 'lock', y: 200 },
  { ...at, id: 'first-inputs', type: 'algo-relay-input', y: 300 },
  { ...at, id: 'first-alert', type: 'algo-alert', y: 400 },
  { ...at, id: 'first-site', type: 'algo-site', y: 500 },
  { ...at, id: 'first-remote', type: 'algo-remote', ttl: '60', y: 600 },
];

describe('the first dialog of a new node', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  before(() =>
    editor.page.evaluate('RED.nodes.eachNode((node) => { node.changed = true; }), RED.nodes.dirty(false)'),
  );

  /** What of the dialog that is open is red. */
  const red = () =>
    editor.page.evaluate<string[]>(`(() => {
      const form = document.querySelector('.red-ui-tray form');
      const color = (one) => getComputedStyle(one).getPropertyValue('--red-ui-form-input-border-error-color');
      const isRed = (one) => one.checkVisibility() && one.matches('.input-error') && color(one) === color(form);
      const all = [...form.querySelectorAll('select, input, .red-ui-typedInput-container')];
      return all.filter(isRed).map((one) => one.id || one.closest('.form-row').dataset.field);
    })()`);
  const cancel = () => editor.done('#node-dialog-cancel');

  it('has nothing red before somebody has come to it and left it empty', async () => {
    const { page } = editor;
    await editor.edit('first-dropped');
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
    await cancel();
    await editor.edit('first-dropped');
    assert.deepEqual(await red(), [], 'whoever cancels has left nothing out');
    await editor.done();
    await editor.edit('first-dropped');
    assert.deepEqual(await red(), ['node-input-device', 'node-input-operation']);
    await cancel();
  });

  it('has all of it red as soon as somebody tries what it says', async () => {
    await editor.edit('first-door');
    assert.deepEqual(await red(), []);
    await editor.page.getByRole('button', { name: wording('shared:form.try'), exact: true }).press('Enter');
    await editor.page.locator('#algo-tried li').first().waitFor();
    assert.deepEqual(await red(), ['node-input-device', 'doorid']);
    await cancel();
  });

  const missing = {
    inputs: ['node-input-device'],
    alert: ['node-input-device'],
    site: ['node-input-broker', 'node-input-site'],
    remote: ['node-input-broker'],
  };
  for (const [id, expected] of Object.entries(missing)) {
    it(`is the first one of ${id} until one of them is done`, async () => {
      await editor.edit(`first-${id}`);
      assert.deepEqual(await red(), []);
      await cancel();
      await editor.edit(`first-${id}`);
      assert.deepEqual(await red(), []);
      await editor.done();
      await editor.edit(`first-${id}`);
      assert.deepEqual(await red(), expected);
      await cancel();
    });
  }

  it('has nothing red of a device either, until somebody leaves it out, or tests it', async () => {
    const { page } = editor;
    const missing = page.getByText(wording('device:invalid.noPassword'), { exact: true });
    const begin = async () => {
      await editor.editConfig('algo-device', '_ADD_');
      assert.deepEqual(await red(), []);
      assert.equal(await missing.isVisible(), false);
    };
    await begin();
    await page.locator('#node-config-input-address').focus();
    await page.getByRole('button', { name: wording('device:find.button'), exact: true }).press('Enter');
    await page.locator('#algo-find-range:focus').waitFor();
    assert.deepEqual(await red(), [], 'whoever lets it be found has not left it empty');
    await page.locator('#node-config-input-address').focus();
    await page.locator('#node-config-input-password').focus();
    assert.deepEqual(await red(), ['node-config-input-address']);
    await editor.done('#node-config-dialog-cancel');
    await begin();
    await page.getByRole('button', { name: 'Test', exact: true }).press('Enter');
    await missing.waitFor();
    // The authentication needs the password.
    assert.deepEqual(await red(), ['node-config-input-address', 'node-config-input-auth']);
    await page.locator('#algo-device-found li').first().waitFor();
    await editor.done('#node-config-dialog-cancel');
  });
});
