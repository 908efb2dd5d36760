import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording, wordingIn } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { editorSession } from './session';

const common = { z: 'tab', wires: [[]], name: '', target: 'device', device: 'device', group: '', x: 200 };
const byForm = { ...common, parametersType: 'form', parameters: 'payload' };
const text = (value: string) => ({ type: 'str', value });

const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Variants and lists' },
  {
    id: 'device',
    type: 'algo-device',
    name: 'Hall',
    address: '192.0.2.10',
    certificate: 'verify',
    timeout: 10,
  },
  { ...byForm, id: 'new', type: 'algo-screen', y: 80, operation: 'start', form: {} },
  {
    ...byForm,
    id: 'image',
    type: 'algo-screen',
    y: 140,
    operation: 'start',
    form: { type: text('image'), image1: text('map.png'), textColor: text('red') },
  },
  {
    ...byForm,
    id: 'clock',
    type: 'algo-screen',
    y: 200,
    operation: 'start',
    form: {
      type: text('digitalClock'),
      clockFormat: text('12h'),
      clockSeconds: { type: 'bool', value: 'true' },
    },
  },
  {
    ...byForm,
    id: 'by-message',
    type: 'algo-screen',
    y: 260,
    operation: 'start',
    form: { type: { type: 'msg', value: 'payload.type' }, image1: text('map.png') },
  },
  { ...byForm, id: 'settings', type: 'algo-settings', y: 320, operation: 'put', form: {} },
  {
    ...byForm,
    id: 'restore',
    type: 'algo-settings',
    y: 500,
    operation: 'restore',
    form: { confirm: { type: 'bool', value: 'true' } },
  },
  {
    ...byForm,
    id: 'text',
    type: 'algo-screen',
    y: 560,
    operation: 'text-start',
    form: { textContent: text('Leave'), textColor: text('red') },
  },
  {
    ...byForm,
    id: 'reload',
    type: 'algo-system',
    y: 380,
    operation: 'reload',
    form: {},
    waitUntilBack: '${WAIT}',
  },
  { ...byForm, id: 'strobe', type: 'algo-strobe', y: 440, operation: 'start', form: {} },
];

describe('the dialogs that show what is chosen', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  afterEach(() => editor.startOver());

  const choose = (label: string) =>
    editor.page.getByLabel(wording('shared:form.variant')).selectOption(label);
  const labels = () => editor.page.locator('.algo-field:visible > label').allTextContents();

  it('asks what a screen is to show, and stores just that', async () => {
    const { page } = editor;
    assert.deepEqual((await editor.stored('new')).problems, [wording('shared:form.invalid.variant')]);
    await editor.edit('new');
    await editor.showsRows([]);
    const groups = page.locator('optgroup');
    assert.deepEqual(await Promise.all((await groups.all()).map((one) => one.getAttribute('label'))), [
      'Templates: school',
      'Templates: hospital',
      'Templates: announcements',
      'Templates: clocks',
      'Templates: calendar',
      'Templates: weather',
    ]);
    assert.deepEqual(await groups.nth(3).locator('option').allTextContents(), [
      'Time and date',
      'Time and date 2',
      'Dual clock 1',
      'Dual clock 1, no corner',
      'Dual clock 2',
      'Dual clock 3',
    ]);
    await choose(wording('screen:operation.start.variant.image-text'));
    await page.getByRole('textbox', { name: 'Image' }).first().fill('map.png');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Assembly');
    await choose('Reminder');
    await editor.showsRows([
      wording('screen:field.start-template-announcement-text1.label'),
      wording('screen:field.text2.label'),
      wording('screen:field.text3.label'),
    ]);
    assert.equal(
      await page
        .getByRole('textbox', { name: wording('screen:field.start-template-announcement-text1.label') })
        .inputValue(),
      'Assembly',
    );
    await editor.done();
    const { form, problems } = await editor.stored('new');
    assert.deepEqual(form, { type: text('template'), template: text('reminder'), text1: text('Assembly') });
    assert.deepEqual(problems, []);
    await page.evaluate('RED.history.pop()');
    const undone = await editor.stored('new');
    assert.deepEqual([undone.form, undone.changed], [{}, false]);
  });

  it('keeps what was chosen while it is still incomplete', async () => {
    await editor.edit('new');
    await choose(wording('screen:operation.start.variant.by-name'));
    await editor.done();
    const { form, problems } = await editor.stored('new');
    assert.deepEqual(
      [form, problems],
      [{ screenName: text('') }, [`${wording('screen:field.screenName.label')}: Required`]],
    );
    await editor.edit('new');
    assert.equal(await editor.page.getByLabel(wording('shared:form.variant')).inputValue(), 'by-name');
  });

  it('does not take a value along to where it is none', async () => {
    await editor.edit('clock');
    await choose('Hospital, time');
    await editor.showsRows(['Seconds']);
    await editor.done();
    assert.deepEqual((await editor.stored('clock')).form, {
      type: text('template'),
      template: text('hospital_time'),
      clockSeconds: { type: 'bool', value: 'true' },
    });
  });

  it('shows what the chosen one does not take, until it is removed or wanted', async () => {
    assert.deepEqual((await editor.stored('image')).problems, [
      `textColor: ${wording('shared:form.invalid.unknown')}`,
    ]);
    await editor.edit('image');
    assert.equal((await labels()).at(-1), 'textColor');
    await choose(wording('screen:operation.start.variant.image-text'));
    assert.equal((await labels()).includes('textColor'), false);
    assert.equal(
      await editor.page.getByRole('textbox', { name: wording('screen:field.textColor.label') }).inputValue(),
      'red',
    );
    await editor.page.getByRole('textbox', { name: 'Text', exact: true }).fill('Here');
    await editor.done();
    const { form, problems } = await editor.stored('image');
    assert.deepEqual(Object.keys(Object(form)).sort(), ['image1', 'text1', 'textColor', 'type']);
    assert.deepEqual(problems, []);
  });

  it('has all fields where a message says what is shown, and keeps them', async () => {
    const before = await editor.stored('by-message');
    assert.deepEqual(before.problems, []);
    await editor.edit('by-message');
    assert.equal(await editor.page.getByLabel(wording('shared:form.variant')).inputValue(), 'all');
    await editor.showsRows([
      'Type',
      'Image',
      wording('screen:field.text2.label'),
      wording('screen:field.text3.label'),
    ]);
    await editor.page.getByRole('button', { name: wording('shared:fields.add') }).press('Enter');
    await editor.page.locator('.algo-fields [role="option"]').nth(45).waitFor();
    await editor.page.keyboard.press('Escape');
    await editor.done();
    assert.deepEqual(await editor.stored('by-message'), before);
  });

  it('takes settings by the keyboard alone, and says what is wrong with a name', async () => {
    const { page } = editor;
    assert.deepEqual((await editor.stored('settings')).problems, [wording('shared:form.invalid.tooFew')]);
    await editor.edit('settings');
    await page.getByRole('textbox', { name: wording('settings:others.name') }).fill('audio.page.vol');
    await page
      .getByRole('textbox', { name: wording('settings:others.value', { name: 'audio.page.vol' }) })
      .fill('-12dB');
    await page.getByRole('button', { name: wording('settings:others.add') }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('a/b');
    assert.match(
      await textOf(page.locator('.algo-others li .algo-error').last()),
      wordingIn('settings:operation.put.others.name'),
    );
    await page.keyboard.press('Control+A');
    await page.keyboard.type('audio.page.vol');
    assert.match(
      await textOf(page.locator('.algo-others li .algo-error').first()),
      wordingIn('shared:form.invalid.twice'),
    );
    await page.getByRole('button', { name: 'Remove audio.page.vol' }).last().focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.algo-others li .algo-error:not(:empty)').count(), 0);
    await page.getByLabel(wording('shared:option.confirmWrite.label')).check();
    await editor.done();
    const { form, problems, confirmWrite, reloadAfter, waitUntilBack } = await editor.stored('settings');
    assert.deepEqual([form, problems], [{ 'audio.page.vol': text('-12dB') }, []]);
    assert.deepEqual([confirmWrite, reloadAfter, waitUntilBack], [true, undefined, undefined]);
  });

  it('does not take the parameters of another operation for settings, or for a choice', async () => {
    const { page } = editor;
    await editor.edit('restore');
    await page.locator('#node-input-operation').selectOption('put');
    assert.equal(await page.getByRole('textbox', { name: wording('settings:others.name') }).inputValue(), '');
    await editor.done();
    assert.deepEqual((await editor.stored('restore')).form, {});
    await editor.edit('text');
    await page.locator('#node-input-operation').selectOption('start');
    assert.equal(await page.getByLabel(wording('shared:form.variant')).inputValue(), '');
    await choose(wording('screen:operation.start.variant.image-text'));
    assert.equal(
      await page.getByRole('textbox', { name: wording('screen:field.textColor.label') }).inputValue(),
      'red',
    );
  });

  it('shows options where an operation has them, and keeps an environment variable', async () => {
    const { page } = editor;
    const before = await editor.stored('reload');
    await editor.edit('reload');
    assert.equal(await page.getByLabel(wording('shared:option.waitUntilBack.label')).inputValue(), '${WAIT}');
    await page.locator('#node-input-operation').selectOption('upgrade-check');
    assert.equal(await page.getByLabel(wording('shared:option.waitUntilBack.label')).isVisible(), false);
    await page.locator('#node-input-operation').selectOption('reload');
    await editor.done();
    assert.deepEqual(await editor.stored('reload'), before);
  });

  it('takes a pattern by its name or by its number', async () => {
    await editor.edit('strobe');
    const row = editor.row('Pattern');
    await editor.choose(row.locator('.red-ui-typedInput-option-trigger'), 'slow');
    assert.equal(await textOf(row.locator('.algo-error')), '');
    await editor.choose(row.locator('.red-ui-typedInput-type-select'), 'number');
    await editor.page.getByRole('textbox', { name: 'Pattern' }).fill('7');
    await editor.done();
    const { form, problems } = await editor.stored('strobe');
    assert.deepEqual(form, { pattern: { type: 'num', value: '7' } });
    assert.deepEqual(problems, ['Color: Required', 'Brightness: Required']);
  });
});
