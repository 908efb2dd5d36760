import assert from 'node:assert/strict';
import { type Editor, textOf } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const flow = [
  { id: 'tab', type: 'tab', label: 'Try' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8063', firmware: '5.7', auth: 'standard', port: 0 },
  { id: 'gate', type: 'algo-device', name: 'Gate', virtual: 'virtual', auth: 'standard', timeout: 10 },
  {
    id: 'door',
    type: 'algo-door',
    z: 'tab',
    x: 200,
    y: 100,
    target: 'device',
    device: 'gate',
    operation: 'munlock',
    parametersType: 'form',
    form: { doorid: { type: 'str', value: 'local' }, duration: { type: 'num', value: '5' } },
    wires: [[]],
  },
];

describe('"Try it" in the dialog of a node', function () {
  this.timeout(240_000);
  let editor: Editor;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });
  const tried = () => editor.page.locator('#algo-tried');
  const press = (name: string) => editor.page.getByRole('button', { name, exact: true }).press('Enter');

  it('asks first, then sends what the dialog says and shows the receipt, by keyboard alone', async () => {
    assert.equal(await textOf(editor.node('door')), 'Unlock for a while local 5 s → Gate');
    await editor.edit('door');
    await editor.page.getByRole('textbox', { name: 'Duration (s)' }).fill('7');
    await press('Try it');
    await tried().getByText('Really do this now: Unlock for a while (Gate)?').waitFor();
    assert.doesNotMatch(shared.nodeRed.log(), /door\/munlock/);
    await press('Do not send');
    assert.equal(await textOf(tried()), '');
    await press('Try it');
    const form = editor.page.locator('form:has(#node-input-name)');
    assert.deepEqual(namelessIn(await snapshotOf(form)), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await press('Send it now');
    await tried()
      .getByText(/Gate: accepted after \d+ ms/)
      .waitFor();
    await shared.nodeRed.says(/door\/munlock .*"duration":"7".*-> 200/);
    await editor.done('#node-dialog-cancel');
    assert.equal((await editor.stored('door')).changed, false);
  });

  it('says what a message would have to bring, and that a group is not tried', async () => {
    await editor.edit('door');
    await editor.choose(editor.row('Duration').locator('.red-ui-typedInput-type-select'), 'msg.');
    await editor.page.getByRole('textbox', { name: 'Duration (s)' }).fill('payload');
    await press('Try it');
    await press('Send it now');
    await tried()
      .getByText(/nothing was sent: duration/)
      .waitFor();
    await editor.page.locator('#node-input-target').selectOption('group');
    await press('Try it');
    await tried()
      .getByText(/Only what goes to one device/)
      .waitFor();
    await editor.done('#node-dialog-cancel');
  });
});
