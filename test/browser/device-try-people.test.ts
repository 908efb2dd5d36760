import assert from 'node:assert/strict';
import { adminAuth } from '../fixtures/guarded-node-red';
import { wording } from '../fixtures/wording';
import { textOf } from './editor';
import { logIn } from './log-in';
import { session } from './session';
import { editorTheme } from './shared-node-red';

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
    operation: 'lock',
    parametersType: 'form',
    form: { doorid: { type: 'str', value: 'local' } },
    wires: [[]],
  },
];

describe('"Try it", where people log in', () => {
  const shared = session(flow, { adminAuth, editorTheme });

  it('is off for one who may only look, and sends nothing', async () => {
    const editor = await logIn(shared, 'guest');
    await editor.edit('door');
    const button = editor.page.getByRole('button', { name: wording('shared:form.try'), exact: true });
    assert.equal(await button.isDisabled(), true);
    await button.click({ force: true });
    await button.press('Enter');
    assert.equal(await textOf(editor.page.locator('#algo-tried')), '');
    assert.doesNotMatch(shared.nodeRed.log(), /door\/lock/);
    await editor.done('#node-dialog-cancel');
    await editor.check(undefined);
  });

  for (const user of ['operator', 'boss']) {
    it(`is on for the ${user}, who may try what is deployed`, async () => {
      const editor = await logIn(shared, user);
      await editor.edit('door');
      const press = (name: string) => editor.page.getByRole('button', { name, exact: true }).press('Enter');
      await press(wording('shared:form.try'));
      await press(wording('device:try.send'));
      await editor.page
        .locator('#algo-tried')
        .getByText(/Gate: accepted after \d+ ms/)
        .waitFor();
      await editor.done('#node-dialog-cancel');
      await editor.check(undefined);
    });
  }
});
