import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { contrasts } from './contrast';
import { type Editor, textOf } from './editor';
import { cutIn } from './every-width';
import { device, flow } from './lacks-flow';
import { editorSession } from './session';

describe('what the targets of a dialog lack', () => {
  let editor: Editor;
  let real: VirtualDevice;
  before(async () => {
    real = new VirtualDevice({ model: '8301', firmware: '5.4', auth: 'none' });
    flow.push({ ...device, id: 'silent', name: 'Silent', address: await real.start() });
  });
  editorSession(flow, (opened) => {
    editor = opened;
  });
  after(() => real?.stop());
  afterEach(() => editor.startOver());

  const mark = (label: string) => editor.row(label).first().locator('.algo-field-lacks');
  const isMarked = (label: string, words: string) =>
    mark(label).filter({ hasText: words }).waitFor({ state: 'visible' });
  const isClean = async (label: string) => {
    await editor.row(label).first().waitFor();
    await mark(label).filter({ hasText: /\S/ }).waitFor({ state: 'detached' });
  };
  const choose = (id: string) => editor.page.locator('#node-input-device').selectOption(id);

  it('marks a given field that the firmware lacks, beside it and with the reason; the node stays right', async () => {
    const { page } = editor;
    assert.deepEqual((await editor.stored('play')).problems, []);
    await editor.edit('play');
    await isMarked('Duration', 'This device has firmware 5.4. Firmware 5.7 or later.');
    const box = page.getByRole('textbox', { name: 'Duration', description: /This device has firmware 5\.4/ });
    assert.equal(await box.getAttribute('aria-invalid'), 'false');
    assert.ok(Math.min(...(await contrasts(page, '.algo-field-lacks'))) >= 4.5);
    assert.deepEqual(await cutIn(page), []);
    await editor.takeAway('Duration (s)');
    await page.locator('.algo-add-field button:visible').first().press('Enter');
    const offer = page.getByRole('option', { name: /^Duration/ });
    assert.match(await textOf(offer), /This device has firmware 5\.4\. Firmware 5\.7 or later\.$/);
    assert.equal(await page.getByRole('option', { name: /^Interval.*firmware/ }).count(), 0);
  });

  it('says so as the device, the field and its target change', async () => {
    await editor.edit('plain');
    await editor.add('Duration');
    await isMarked('Duration', 'Firmware 5.7 or later.');
    await choose('new');
    await isClean('Duration');
    await choose('old');
    await isMarked('Duration', 'Firmware 5.7 or later.');
    await choose('free');
    await isClean('Duration');
    await choose('lamp');
    const head = editor.page.locator('.algo-lacks');
    await head.filter({ hasText: 'An 8128 does not have this.' }).waitFor();
    await isClean('Duration');
  });

  it('shows the patterns of other models with what the device will do instead', async () => {
    const { page } = editor;
    await editor.edit('flash');
    await isMarked('Pattern', 'An 8190S does not have Triple Flash; it gets slow instead.');
    await editor.row('Pattern').locator('.red-ui-typedInput-option-trigger').press('Enter');
    const menu = page.locator('.red-ui-typedInput-options:visible');
    await menu.waitFor();
    const entries = (await menu.locator('a').allTextContents()).map((entry) => entry.trim());
    assert.deepEqual(entries.slice(0, 5), ['choose…', 'steady', 'slow', 'fast', 'Classic Strobe Fast']);
    assert.ok(entries.indexOf('Flash Slow') < entries.indexOf('Rotate Fast (not on the 8190S)'));
    assert.equal(entries.length, 39);
    await page.keyboard.press('Escape');
    await editor.choose(
      editor.row('Pattern').locator('.red-ui-typedInput-option-trigger'),
      'Off (not on the 8190S)',
    );
    await isMarked('Pattern', 'An 8190S does not have Off; nothing is sent to it.');
    await editor.choose(editor.row('Pattern').locator('.red-ui-typedInput-option-trigger'), 'Sparkle');
    await isClean('Pattern');
    await editor.add('Second color');
    await isMarked('Second color', 'An 8190S does not have this. On the 8138, 8410 and 8420.');
    await choose('lamp');
    await isMarked('Pattern', 'An 8128 does not have Sparkle; it gets slow instead.');
    await editor.row('Pattern').getByRole('button', { name: 'slow' }).click();
    await isClean('Pattern');
  });

  it('knows of a device of which nobody set the model what that has said itself, and asks once', async () => {
    const { page } = editor;
    const asked: unknown[] = [];
    await page.route('**/algo/overview/known', (route) => {
      asked.push(route.request().postDataJSON());
      return route.continue();
    });
    await editor.edit('told');
    await editor.add('Duration');
    await isClean('Duration');
    await editor.done('#node-dialog-cancel');
    await editor.editConfig('algo-device', 'silent');
    await page.getByRole('button', { name: 'Test', exact: true }).press('Enter');
    await page.locator('#algo-device-found li', { hasText: '8301' }).first().waitFor();
    await editor.done('#node-config-dialog-cancel');
    asked.length = 0;
    await editor.edit('told');
    await editor.add('Duration');
    await isMarked('Duration', 'This device has firmware 5.4. Firmware 5.7 or later.');
    await editor.row('Duration').locator('.red-ui-typedInput-input').fill('12');
    await page.locator('#node-input-operation').selectOption('stop');
    assert.deepEqual(asked, [{ ids: ['silent'] }]);
    await page.unroute('**/algo/overview/known');
  });

  it('marks nothing for whoever may not read what the runtime knows', async () => {
    const { page } = editor;
    await page.route('**/algo/overview/known', (route) => route.fulfill({ status: 403, json: {} }));
    await editor.edit('told');
    await editor.add('Duration');
    await isClean('Duration');
    await page.unroute('**/algo/overview/known');
    editor.faults.splice(0, editor.faults.length, ...editor.faults.filter((one) => !one.includes('403')));
  });

  it('names those of a group, and of several targets, that lack it', async () => {
    const { page } = editor;
    await editor.edit('together');
    await isMarked('Duration', 'Lacking at Lobby, Attic and Gym. Firmware 5.7 or later.');
    await page.locator('#node-input-target').selectOption('several');
    await page.locator('.algo-picker').waitFor();
    for (const name of ['Cellar', 'New', 'group: All'])
      await page
        .locator('.algo-picker')
        .getByRole('checkbox', { name: new RegExp(name) })
        .check();
    await isMarked('Duration', 'Lacking at Cellar, Lobby, Attic and 1 more. Firmware 5.7 or later.');
  });

  it('says of a group only what is the reason, the model or the firmware', async () => {
    await editor.edit('flash all');
    const head = editor.page.locator('.algo-lacks');
    await head.getByText(/^Lacking at /).waitFor();
    assert.match(await textOf(head), /^Lacking at New, Lobby, Attic and 1 more\. On the /);
  });

  it('is not what a disabled target does, which is marked however it is reached', async () => {
    const { page } = editor;
    const marks = () => page.locator('.algo-disabled > div:visible').allTextContents();
    const of = (name: string) => `${name}: The device is disabled: enable it, or choose another one`;
    const yard = 'Yard: The group is disabled: enable it, or choose another one';
    const wait = (text: string) => page.locator('.algo-disabled', { hasText: text }).waitFor();
    await editor.edit('at the farm');
    await wait('Barn');
    assert.deepEqual(await marks(), [of('Barn')]);
    const tick = (name: string) => page.getByRole('checkbox', { name, exact: true });
    await tick('Barn [Disabled] 198.51.100.4 · farm').uncheck();
    await page.locator('.algo-disabled:empty').waitFor({ state: 'attached' });
    await tick('group: Yard [Disabled]').check();
    await wait('Yard');
    assert.deepEqual(await marks(), [yard, of('Barn')]);
    await tick('group: Yard [Disabled]').uncheck();
    await tick('everything with the tag farm').check();
    await wait('Mill');
    assert.deepEqual(await marks(), [yard, of('Barn'), of('Mill and 2 more')]);
    assert.deepEqual(await cutIn(page), []);
    await page.locator('#node-input-target').selectOption('group');
    await page.locator('#node-input-group').selectOption('yard');
    await wait('Yard');
    assert.deepEqual(await marks(), [yard, of('Barn')]);
    await page.locator('#node-input-target').selectOption('device');
    await page.locator('.algo-disabled:empty').waitFor({ state: 'attached' });
    await editor.done('#node-dialog-cancel');
  });
});
