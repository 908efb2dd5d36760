import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { editorSession } from './session';

const common = { z: 'tab', wires: [[]], name: '', target: 'device', device: 'device', group: '', x: 200 };
const byForm = { ...common, parametersType: 'form', parameters: 'payload', form: {} };
const text = (value: string) => ({ type: 'str', value });
const yes = { type: 'bool', value: 'true' };

const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Fields' },
  { id: 'device', type: 'algo-device', name: 'Hall', address: '192.0.2.10', model: '8410', auth: 'none' },
  { id: 'yard', type: 'algo-device', name: 'Yard', address: '192.0.2.11', auth: 'none', tags: 'north' },
  { id: 'group', type: 'algo-group', name: 'School', devices: ['yard'], rows: [], tags: '', auth: 'none' },
  { ...byForm, id: 'new', type: 'algo-tone', y: 60 },
  {
    ...byForm,
    id: 'tone',
    type: 'algo-tone',
    y: 120,
    operation: 'start',
    form: { path: text('a.wav'), loop: yes },
  },
  {
    ...byForm,
    ...{ id: 'idle', type: 'algo-tone', y: 180, operation: 'start' },
    form: { path: text('a.wav'), loop: yes, 'state.address': text('224.0.2.60') },
  },
  { ...byForm, id: 'strobe', type: 'algo-strobe', y: 240, operation: 'start' },
  {
    ...byForm,
    ...{ id: 'screen', type: 'algo-screen', y: 360, operation: 'start' },
    form: { type: text('template'), template: text('reminder'), text1: text('Fire drill') },
  },
  { ...byForm, id: 'days', type: 'algo-scheduler', y: 300, operation: 'range' },
];

describe('the fields of a form', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  afterEach(() => editor.startOver());

  const focused = (): Promise<string> =>
    editor.page.evaluate(
      "document.activeElement.closest('[data-field]')?.dataset.field ?? document.activeElement.textContent.trim()",
    );
  const addButton = () => editor.page.getByRole('button', { name: wording('shared:fields.add') });
  const options = () => editor.page.locator('.algo-fields [role="option"]');
  const search = () => editor.page.getByRole('combobox', { name: wording('shared:fields.search') });

  it('are searched, added and taken away by keyboard, and the focus goes where one goes on', async () => {
    const { page } = editor;
    const before = await editor.stored('tone');
    await editor.edit('tone');
    await editor.showsRows(['Tone', 'Loop']);
    await addButton().press('Enter');
    await search().press('Escape');
    await search().waitFor({ state: 'detached' });
    assert.equal(await focused(), wording('shared:fields.add'));
    await addButton().press('Enter');
    await options()
      .filter({ hasText: /^Duration \(s\) Stops the playback/ })
      .waitFor();
    await search().fill('pause two');
    assert.equal(await options().count(), 1);
    await search().fill('');
    await search().press('ArrowDown');
    assert.match(await textOf(options().and(page.getByRole('option', { selected: true }))), /^Interval/);
    await search().press('Enter');
    assert.equal(await focused(), 'interval');
    await page.keyboard.type('7');
    await editor.add('Duration (s)');
    assert.equal(await focused(), 'duration');
    await editor.showsRows(['Tone', 'Loop', 'Duration (s)', 'Interval (s)']);
    await editor.takeAway('Duration (s)');
    assert.equal(await focused(), 'interval');
    await editor.takeAway('Interval (s)');
    assert.equal(await focused(), 'loop');
    await editor.done();
    assert.deepEqual(await editor.stored('tone'), before);
  });

  it('of a multicast are there while it is on, and say so where they count for nothing', async () => {
    const { page } = editor;
    await editor.edit('tone');
    await addButton().press('Enter');
    await search().fill('multicast address');
    await page.getByText(wording('shared:fields.nothing')).waitFor();
    await search().press('Escape');
    await editor.add('Multicast');
    await editor.add(wording('audio:field.mode.label'));
    await editor.done();
    const { form } = await editor.stored('tone');
    assert.deepEqual(form, { path: text('a.wav'), loop: yes, mcast: yes, 'state.mode': text('sender') });
    await editor.edit('idle');
    await page.getByText(wording('shared:fields.idle', { name: 'Multicast' })).waitFor();
    await editor.add('Multicast');
    await page.getByText(wording('shared:fields.idle', { name: 'Multicast' })).waitFor({ state: 'hidden' });
  });

  it('are not red before anything was tried, and begin with what nobody has to choose', async () => {
    const { page } = editor;
    await page.evaluate('RED.nodes.node("new").changed = true');
    await editor.edit('new');
    await page.locator('#node-input-operation').selectOption('start');
    assert.equal(await page.locator('.algo-error:visible:not(:empty)').count(), 0);
    assert.equal(await page.locator('.algo-field .input-error:visible').count(), 0);
    await page.getByRole('textbox', { name: 'Tone' }).focus();
    await addButton().focus();
    assert.equal(await textOf(editor.row('Tone').locator('.algo-error')), 'Required');
    await page.getByRole('textbox', { name: 'Tone' }).fill('b.wav');
    await editor.done();
    const { form, problems } = await editor.stored('new');
    assert.deepEqual(form, { path: text('b.wav'), loop: { type: 'bool', value: 'false' } });
    assert.deepEqual(problems, []);
  });

  it('have names for who cannot see them, at once, and begin a path with payload', async () => {
    await editor.edit('tone');
    const type = editor.row('Tone').locator('.red-ui-typedInput-type-select');
    assert.match(String(await type.getAttribute('aria-label')), /^Tone: /);
    await editor.add('Duration (s)');
    await editor.choose(editor.row('Duration').locator('.red-ui-typedInput-type-select'), 'msg.');
    assert.equal(await editor.page.getByRole('textbox', { name: 'Duration (s)' }).inputValue(), 'payload');
    await editor.done('#node-dialog-cancel');
  });

  it('become JSON to begin with, with what the form held', async () => {
    await editor.edit('idle');
    const source = editor.page.locator('.algo-parameters .red-ui-typedInput-type-select');
    await editor.choose(source, 'JSON');
    assert.deepEqual(JSON.parse(await editor.page.locator('#node-input-parameters').inputValue()), {
      path: 'a.wav',
      loop: true,
      state: { address: '224.0.2.60' },
    });
    await editor.done('#node-dialog-cancel');
  });

  it('are for several targets at once, which are searched and ticked in the dialog', async () => {
    const { page } = editor;
    await editor.edit('tone');
    await page.locator('#node-input-target').selectOption('several');
    const tick = (name: string) => page.getByRole('checkbox', { name });
    await tick('Hall').check();
    assert.equal(await tick('group: School').isVisible(), true);
    await page.getByLabel('Targets').fill('tag north');
    await tick('Hall').waitFor({ state: 'detached' });
    await tick(wording('shared:several.tag', { tag: 'north' })).check();
    await editor.done();
    const { target, targets, problems } = await editor.stored('tone');
    assert.deepEqual([target, targets, problems], ['several', ['device', 'tag:north'], []]);
    const label: string = await page.evaluate('RED.utils.getNodeLabel(RED.nodes.node("tone"))');
    assert.match(label, / → Hall \+1$/);
    await editor.edit('tone');
    await tick('Hall').waitFor();
    assert.equal(await tick('Hall').isChecked(), true);
    await page.getByRole('button', { name: wording('group:devices.none') }).click();
    await editor.done();
    assert.deepEqual((await editor.stored('tone')).problems, [wording('shared:several.none')]);
  });

  it('of a screen are drawn as the display will show them', async () => {
    const { page } = editor;
    const before = await editor.stored('screen');
    await editor.edit('screen');
    const picture = page.getByRole('img', { name: wording('shared:fields.preview') });
    await picture.getByText('Fire drill').waitFor();
    const color = (text: string) => picture.getByText(text).evaluate((one) => getComputedStyle(one).color);
    assert.equal(await color('Fire drill'), 'rgb(192, 0, 0)');
    await page
      .getByRole('textbox', { name: wording('screen:field.start-template-announcement-text1.label') })
      .fill('All clear');
    await picture.getByText('All clear').waitFor();
    assert.equal(await picture.getByText('Fire drill').count(), 0);
    await editor.choose(
      editor
        .row(wording('screen:field.start-template-announcement-text1.label'))
        .locator('.red-ui-typedInput-type-select'),
      'msg.',
    );
    await picture.getByText(/^msg\./).waitFor();
    await page.getByLabel(wording('shared:form.variant')).selectOption('all');
    await picture.getByText('reminder').waitFor();
    await page.locator('#node-input-operation').selectOption('stop');
    await picture.waitFor({ state: 'hidden' });
    await editor.done('#node-dialog-cancel');
    assert.deepEqual(await editor.stored('screen'), before);
  });

  it('do not take an empty text along for a list', async () => {
    const { page } = editor;
    await editor.edit('days');
    await editor.add('Days');
    await page.locator('#node-input-operation').selectOption('apply');
    await editor.showsRows([]);
    await editor.done();
    assert.deepEqual((await editor.stored('days')).form, {});
  });

  it('of a strobe take one click each, and show how its patterns move', async () => {
    const { page } = editor;
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await editor.edit('strobe');
    const click = (row: string, name: string) =>
      page.getByRole('group', { name: row, exact: true }).getByRole('button', { name }).click();
    await click('Color', 'blue');
    await click('Brightness', 'high');
    await page.getByRole('button', { name: 'Pattern select', exact: true }).press('Enter');
    const pictures = page.locator('.algo-patterns li .algo-picture');
    await pictures.nth(37).waitFor();
    const missing = page.locator('.algo-patterns li', {
      hasText: `· ${wording('shared:form.notOn', { models: '8410' })}`,
    });
    assert.deepEqual([await pictures.count(), await missing.count()], [38, 20]);
    const motions = () =>
      pictures.evaluateAll((all) => [
        ...new Set(
          all.map((one) => getComputedStyle(Object(one).shadowRoot.querySelector('.lamp')).animationName),
        ),
      ]);
    assert.deepEqual((await motions()).sort(), ['flash-1', 'flash-2', 'flash-3', 'none', 'wave']);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.deepEqual(await motions(), ['none']);
    await page.locator('.algo-patterns').getByRole('button', { name: 'Triple Flash' }).click();
    await editor.done();
    const { form, problems } = await editor.stored('strobe');
    assert.deepEqual(form, { pattern: text('Triple Flash'), color1: text('blue'), ledlvl: text('high') });
    assert.deepEqual(problems, []);
  });
});
