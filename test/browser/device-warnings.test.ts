import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts } from './contrast';
import { type Editor, textOf } from './editor';
import { cutIn } from './every-width';
import { editorSession } from './session';

const device = { type: 'algo-device', auth: 'standard', certificate: 'verify', timeout: 10 };
const flow = [
  { id: 'tab', type: 'tab', label: 'Warnings' },
  { id: 'virtual', type: 'algo-virtual-device', model: '9999', firmware: 'new', auth: 'none', port: 0 },
  { ...device, id: 'hall', name: 'Hall', address: '192.0.2.1' },
  { ...device, id: 'light', name: 'Light', address: '192.0.2.2', model: '8138', firmware: '5.3' },
  {
    id: 'screen',
    type: 'algo-screen',
    z: 'tab',
    x: 200,
    y: 100,
    target: 'device',
    device: 'light',
    operation: 'stop',
    parametersType: 'form',
    form: {},
    wires: [[]],
  },
];

describe('what a dialog warns of', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  const close = async (cancel: string) => {
    await editor.page.locator(cancel).click();
    await editor.page.locator('.red-ui-tray').waitFor({ state: 'detached' });
  };

  it('weak choices of a device, beside the field and as they are made', async () => {
    const { page } = editor;
    await editor.editConfig('algo-device', 'hall');
    const warnings = () => page.locator('.algo-warning:visible').allTextContents();
    assert.deepEqual(await warnings(), []);
    const tls = page.locator('#node-config-input-certificate');
    await page.locator('#node-config-input-address').fill('http://192.0.2.1');
    assert.equal(await tls.isVisible(), false);
    await page.locator('#node-config-input-auth').selectOption('basic');
    assert.deepEqual(await warnings(), [wording('device:weak.basicPlain')]);
    await page.locator('#node-config-input-address').fill('192.0.2.1');
    assert.deepEqual(await warnings(), []);
    await tls.selectOption('any');
    await page.locator('#node-config-input-name').fill('Light');
    await page.locator('#node-config-input-model').fill('abcd');
    await page.locator('#node-config-input-firmware').fill('new');
    await page.locator('#node-config-input-password').fill('algo');
    assert.equal((await warnings()).length, 5);
    await page
      .getByRole('textbox', { name: 'Model', description: wordingIn('device:weak.noModel') })
      .or(page.getByRole('combobox', { name: 'Model' }))
      .waitFor();
    const stand = await contrasts(page, '.algo-warning');
    assert.ok(Math.min(...stand) >= 4.5, String(stand));
    assert.deepEqual(await cutIn(page), []);
    await close('#node-config-dialog-cancel');
  });

  it('a virtual device of a model that there is not', async () => {
    assert.deepEqual((await editor.stored('virtual')).problems, [
      wording('virtual-device:invalid.model'),
      wording('virtual-device:invalid.firmware'),
    ]);
    await editor.editConfig('algo-virtual-device', 'virtual');
    const visibleErrors = () => editor.page.locator('.red-ui-tray .algo-error:visible').allTextContents();
    assert.deepEqual((await visibleErrors()).filter(Boolean), [
      wording('virtual-device:invalid.model'),
      wording('virtual-device:invalid.firmware'),
    ]);
    await editor.page
      .getByRole('combobox', { name: 'Model', description: /a product number of the list/ })
      .waitFor();
    assert.deepEqual(await cutIn(editor.page), []);
    await editor.page.locator('#node-config-input-model').fill('8190s');
    await editor.page.locator('#node-config-input-firmware').fill('5.5_beta11');
    assert.deepEqual((await visibleErrors()).filter(Boolean), []);
    await editor.done('#node-config-dialog-ok');
    assert.deepEqual((await editor.stored('virtual')).problems, []);
  });

  it('an address that cannot be one, beside the field', async () => {
    const { page } = editor;
    await editor.editConfig('algo-device', 'hall');
    const address = page.locator('#node-config-input-address');
    await address.fill('http:hall');
    await page.getByText(wordingIn('device:invalid.address')).waitFor();
    await address.fill('admin:secret@hall');
    await page.getByText(wording('device:invalid.userInfo')).waitFor();
    await address.fill('hall');
    await page.getByText(wordingIn('device:invalid.address')).waitFor({ state: 'hidden' });
    await address.fill('http://hall/api');
    await page.locator('#algo-weak-address').getByText(wording('device:weak.apiPath')).waitFor();
    await address.fill('http://hall');
    await page.getByText(wording('device:weak.apiPath')).waitFor({ state: 'hidden' });
    await editor.done('#node-config-dialog-cancel');
  });

  it('an operation that the model or the firmware of the device lacks', async () => {
    await editor.edit('screen');
    const unsupported = editor.page.locator('.algo-unsupported', { hasText: /./ });
    assert.match(await textOf(unsupported), wordingIn('shared:form.unsupported.model', { what: '8138' }));
    assert.match(await textOf(unsupported), /8410.*8420/);
    await close('#node-dialog-cancel');
  });
});
