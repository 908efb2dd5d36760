import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { editorSession } from './session';

const device = {
  type: 'algo-device',
  address: '192.0.2.10',
  auth: 'none',
  certificate: 'verify',
  timeout: 10,
};
const byForm = {
  z: 'tab',
  x: 200,
  y: 100,
  name: '',
  target: 'device',
  group: '',
  operation: 'start',
  wires: [[]],
};
const fromForm = { parametersType: 'form', parameters: 'payload' };
const text = (value: string) => ({ type: 'str', value });

const flow = [
  { id: 'tab', type: 'tab', label: 'Patterns' },
  { ...device, id: 'any', name: 'Any', model: '' },
  { ...device, id: 'horn', name: 'Horn', model: '8190S' },
  { ...device, id: 'adapter', name: 'Adapter', model: '8301' },
  {
    ...byForm,
    ...fromForm,
    id: 'strobe',
    type: 'algo-strobe',
    device: 'any',
    form: { pattern: text('Rotate Fast'), color1: text('red'), ledlvl: text('high') },
  },
  {
    ...byForm,
    ...fromForm,
    id: 'screen',
    type: 'algo-screen',
    device: 'any',
    form: { screenName: text('Map') },
  },
];

describe('every dialog with patterns', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  /** What the menu of a row offers. */
  async function offered(label: string): Promise<string[]> {
    await editor.row(label).first().locator('.red-ui-typedInput-option-trigger').press('Enter');
    const menu = editor.page.locator('.red-ui-typedInput-options:visible');
    await menu.waitFor();
    const entries = await menu.locator('a').allTextContents();
    await editor.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    return entries.map((entry) => entry.trim());
  }

  it('says which models have a pattern or a brightness, where not all have it', async () => {
    await editor.edit('strobe');
    const patterns = await offered('Pattern');
    assert.deepEqual(patterns.slice(0, 5), ['select…', 'steady', 'slow', 'fast', 'Rotate Fast (8128, 8138)']);
    for (const one of ['Multicolor Spin (8138)', 'Sparkle (8190S)', 'Off (8410, 8420)']) {
      assert.ok(patterns.includes(one), one);
    }
    assert.equal(patterns.length, 1 + 3 + 10 + 4 + 6 + 15);
    const levels = ['0', '56', '255'].map((level) => `${level} (8128, 8138, 8410, 8420)`);
    const few = ['1', '2', '3'].map((level) => `${level} (8190S)`);
    assert.deepEqual(await offered('Brightness'), ['select…', 'low', 'medium', 'high', ...levels, ...few]);
    await editor.done();
  });

  it('offers a device of a known model its own, then those that it lacks, and keeps one of them that is stored', async () => {
    const before = await editor.stored('strobe');
    await editor.edit('strobe');
    await editor.page.locator('#node-input-device').selectOption('horn');
    const own = [
      'Classic Strobe Fast',
      'Classic Strobe Medium',
      'Classic Strobe Slow',
      'Sparkle',
      'Multicolor',
    ];
    const flashes = [
      'Flash Fast',
      'Flash Slow',
      'Flash Fast Alternating Sides',
      'Flash Slow Alternating Sides',
    ];
    const common = ['select…', 'steady', 'slow', 'fast'];
    const patterns = await offered('Pattern');
    assert.deepEqual(patterns.slice(0, 13), [...common, ...own, ...flashes]);
    const notHere = ` (${wording('shared:form.notOn', { models: '8190S' })})`;
    assert.equal(patterns[13], `Rotate Fast${notHere}`);
    assert.ok(patterns.slice(13).every((one) => one.endsWith(notHere)));
    assert.equal(patterns.length, 39);
    const scale = ['1', '2', '3', '0', '56', '255'].map((one, at) => (at < 3 ? one : `${one}${notHere}`));
    assert.deepEqual(await offered('Brightness'), ['select…', 'low', 'medium', 'high', ...scale]);
    await editor.page.locator('#node-input-device').selectOption('adapter');
    assert.equal((await offered('Pattern')).length, 39);
    await editor.page.locator('#node-input-device').selectOption('horn');
    await editor.done();
    const after = await editor.stored('strobe');
    assert.deepEqual([after.form, after.problems, after.device], [before.form, [], 'horn']);
  });

  it('offers a screen the patterns of displays, without their numbers', async () => {
    await editor.edit('screen');
    await editor.add(wording('screen:field.strobeFlash.label'));
    const patterns = await offered(wording('screen:field.strobeFlash.label'));
    assert.equal(patterns.length, 1 + 3 + 15);
    assert.ok(patterns.includes('Scan Slow') && !patterns.some((one) => one.includes('(')), patterns.join());
    await editor.page.locator('#node-input-name').focus();
    assert.match(
      await textOf(editor.row(wording('screen:field.strobeFlash.label')).locator('.algo-error')),
      wordingIn('shared:form.invalid.empty'),
    );
    await editor.done('#node-dialog-cancel');
  });
});
