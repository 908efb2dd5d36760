import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts } from './contrast';
import { type Editor, textOf } from './editor';
import { cutIn } from './every-width';
import { editorSession } from './session';
import { device, flow } from './support-flow';

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

  const mark = (label: string) => editor.row(label).first().locator('.algo-field-unsupported');
  const isMarked = (label: string, words: string) =>
    mark(label).filter({ hasText: words }).waitFor({ state: 'visible' });
  const isClean = async (label: string) => {
    await editor.row(label).first().waitFor();
    await mark(label).filter({ hasText: /\S/ }).waitFor({ state: 'detached' });
  };
  const tooOld = wording('shared:form.unsupported.firmware', {
    what: '5.4',
    availability: wording('files:operation.md5sum.availability'),
  });
  const choose = (id: string) => editor.page.locator('#node-input-device').selectOption(id);

  it('marks a given field that the firmware lacks, beside it and with the reason; the node stays right', async () => {
    const { page } = editor;
    assert.deepEqual((await editor.stored('play')).problems, []);
    await editor.edit('play');
    await isMarked('Duration', tooOld);
    const box = page.getByRole('textbox', { name: 'Duration', description: tooOld });
    assert.equal(await box.getAttribute('aria-invalid'), 'false');
    assert.ok(Math.min(...(await contrasts(page, '.algo-field-unsupported'))) >= 4.5);
    assert.deepEqual(await cutIn(page), []);
    await editor.takeAway('Duration (s)');
    await page.locator('.algo-add-field button:visible').first().press('Enter');
    const offer = page.getByRole('option', { name: /^Duration/ });
    assert.ok((await textOf(offer)).endsWith(tooOld), await textOf(offer));
    assert.equal(await page.getByRole('option', { name: /^Interval.*firmware/ }).count(), 0);
  });

  it('says so as the device, the field and its target change', async () => {
    await editor.edit('plain');
    await editor.add('Duration');
    await isMarked('Duration', wording('files:operation.md5sum.availability'));
    await choose('new');
    await isClean('Duration');
    await choose('old');
    await isMarked('Duration', wording('files:operation.md5sum.availability'));
    await choose('free');
    await isClean('Duration');
    await choose('lamp');
    const head = editor.page.locator('.algo-unsupported');
    await head.filter({ hasText: wordingIn('shared:form.unsupported.model', { what: '8128' }) }).waitFor();
    await isClean('Duration');
  });

  it('shows the patterns of other models with what the device will do instead', async () => {
    const { page } = editor;
    await editor.edit('flash');
    await isMarked(
      'Pattern',
      wording('shared:form.unsupported.kin', { what: '8190S', value: 'Triple Flash', kin: 'slow' }),
    );
    await editor.row('Pattern').locator('.red-ui-typedInput-option-trigger').press('Enter');
    const menu = page.locator('.red-ui-typedInput-options:visible');
    await menu.waitFor();
    const entries = (await menu.locator('a').allTextContents()).map((entry) => entry.trim());
    assert.deepEqual(entries.slice(0, 5), ['select…', 'steady', 'slow', 'fast', 'Classic Strobe Fast']);
    assert.ok(
      entries.indexOf('Flash Slow') <
        entries.indexOf(`Rotate Fast (${wording('shared:form.notOn', { models: '8190S' })})`),
    );
    assert.equal(entries.length, 39);
    await page.keyboard.press('Escape');
    await editor.choose(
      editor.row('Pattern').locator('.red-ui-typedInput-option-trigger'),
      `Off (${wording('shared:form.notOn', { models: '8190S' })})`,
    );
    await isMarked('Pattern', wording('shared:form.unsupported.value', { what: '8190S', value: 'Off' }));
    await editor.choose(editor.row('Pattern').locator('.red-ui-typedInput-option-trigger'), 'Sparkle');
    await isClean('Pattern');
    await editor.add(wording('strobe:field.color2.label'));
    await isMarked(
      wording('strobe:field.color2.label'),
      wording('shared:form.unsupported.model', {
        what: '8190S',
        availability: 'On the 8138, 8410 and 8420.',
      }),
    );
    await choose('lamp');
    await isMarked(
      'Pattern',
      wording('shared:form.unsupported.kin', { what: '8128', value: 'Sparkle', kin: 'slow' }),
    );
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
    await isMarked('Duration', tooOld);
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
    await isMarked(
      'Duration',
      wording('shared:form.unsupported.at', {
        names: 'Lobby, Attic and Gym',
        availability: wording('files:operation.md5sum.availability'),
      }),
    );
    await page.locator('#node-input-target').selectOption('several');
    await page.locator('.algo-picker').waitFor();
    for (const name of ['Cellar', 'New', 'group: All'])
      await page
        .locator('.algo-picker')
        .getByRole('checkbox', { name: new RegExp(name) })
        .check();
    await isMarked(
      'Duration',
      wording('shared:form.unsupported.at', {
        names: wording('shared:form.unsupported.more', { names: 'Cellar, Lobby, Attic', count: 1 }),
        availability: wording('files:operation.md5sum.availability'),
      }),
    );
  });

  it('says of a group only what is the reason, the model or the firmware', async () => {
    await editor.edit('flash all');
    const head = editor.page.locator('.algo-unsupported');
    await head.getByText(wordingIn('shared:form.unsupported.at')).waitFor();
    assert.match(
      await textOf(head),
      wordingIn('shared:form.unsupported.at', {
        names: wording('shared:form.unsupported.more', { names: 'New, Lobby, Attic', count: 1 }),
      }),
    );
  });

  it('is not what a disabled target does, which is marked however it is reached', async () => {
    const { page } = editor;
    const marks = () => page.locator('.algo-disabled > div:visible').allTextContents();
    const of = (name: string) => `${name}: ${wording('shared:form.disabled.device')}`;
    const yard = `Yard: ${wording('shared:form.disabled.group')}`;
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
    await tick(wording('shared:several.tag', { tag: 'farm' })).check();
    await wait('Mill');
    assert.deepEqual(await marks(), [
      yard,
      of('Barn'),
      of(wording('shared:form.unsupported.more', { names: 'Mill', count: 2 })),
    ]);
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
