import assert from 'node:assert/strict';
import { type Editor, textOf } from './editor';
import { cutIn } from './every-width';
import { byForm, device, text } from './ruled-flow';
import { editorSessionIn } from './session';

const form = { pattern: text('slow'), color1: text('red'), ledlvl: text('high') };
const flow = [
  { id: 'tab', type: 'tab', label: 'Werte' },
  { ...device, name: 'Halle', model: '8410' },
  { ...byForm, id: 'strobe', type: 'algo-strobe', operation: 'start', form },
  {
    ...{ id: 'alert', type: 'algo-alert', z: 'tab', name: '', x: 100, y: 340, wires: [[], []] },
    ...{
      target: 'device',
      device: device.id,
      priority: 5,
      endAfter: '',
      afterRestart: 'keep',
      retryAlert: 'true',
      drill: false,
    },
    actions: [
      { operation: 'strobe/start', form: { ...form, color1: { type: 'msg', value: 'high' } } },
      { operation: 'tone/start', form: { path: text('chime.wav'), loop: { type: 'bool', value: 'false' } } },
    ],
  },
  {
    ...{ ...byForm, id: 'screen', type: 'algo-screen', y: 420, operation: 'start' },
    form: { type: text('template'), template: text('weather_weekly') },
  },
  { id: 'site', type: 'algo-site', z: 'tab', name: '', x: 400, y: 100, wires: [[], []], site: 'north' },
  { ...byForm, id: 'door', type: 'algo-door', y: 260, operation: 'lock', form: { doorid: text('netdc1') } },
];

describe('the values of choices in an editor set to German', () => {
  let editor: Editor;
  editorSessionIn('de', flow, (opened) => {
    editor = opened;
  });

  const chosen = (label: string) =>
    textOf(editor.row(label).first().locator('.red-ui-typedInput-option-label'));
  const quick = (label: string) => editor.row(label).first().locator('.algo-quick button');

  it('are words in the label of a node', async () => {
    const labels = await editor.page.evaluate(
      `['strobe', 'door'].map((id) => RED.utils.getNodeLabel(RED.nodes.node(id)))`,
    );
    assert.deepEqual(labels, ['Blitzen langsam rot hoch → Halle', 'Verriegeln netdc1 → Halle']);
  });

  it('are words in the drawing of a display', async () => {
    await editor.edit('screen');
    assert.equal(await textOf(editor.page.locator('.algo-preview .template-name')), 'Wetter der Woche');
    await editor.done('#node-dialog-cancel');
  });

  it('are asked for in sentences, also a broker', async () => {
    const { problems } = await editor.stored('site');
    assert.deepEqual(problems, ['Einen Broker wählen oder auf + klicken, um einen anzulegen']);
  });

  it('are words beside the values that the device has for them', async () => {
    await editor.edit('strobe');
    assert.equal(await chosen('Farbe'), 'rot (red)');
    assert.equal(await chosen('Helligkeit'), 'hoch (high)');
    await editor.choose(
      editor.row('Farbe').first().locator('.red-ui-typedInput-option-trigger'),
      'blau (blue)',
    );
    await quick('Farbe').first().waitFor();
    assert.deepEqual(await quick('Farbe').allTextContents(), [' rot', ' blau', ' grün', ' bernsteinfarben']);
    assert.equal(await quick('Farbe').first().getAttribute('title'), 'red');
    assert.equal(await quick('Farbe').nth(1).getAttribute('aria-pressed'), 'true');
    await quick('Helligkeit').first().click();
    assert.equal(await chosen('Helligkeit'), 'niedrig (low)');
  });

  it('are found by either word among the drawings of patterns', async () => {
    await editor.page.locator('[data-field="pattern"] .algo-pick').press('Enter');
    const search = editor.page.locator('.algo-offers input');
    const items = editor.page.locator('.algo-offers li');
    await items.first().waitFor();
    assert.deepEqual(await cutIn(editor.page), []);
    const isWiderInNarrow = await editor.page.evaluate(`((offers) => {
      offers.style.width = '200px';
      const list = offers.querySelector('ul');
      const isWider = list.scrollWidth > list.clientWidth;
      offers.style.width = '';
      return isWider;
    })(document.querySelector('.algo-patterns'))`);
    assert.equal(isWiderInNarrow, false);
    for (const word of ['rückwärts langsam', 'reverse slow']) {
      await search.fill(word);
      assert.deepEqual(await items.allTextContents(), [' Wischen rückwärts langsam (Reverse Slow Sweep)']);
    }
    await items.locator('button').click();
    assert.equal(await chosen('Muster'), 'Wischen rückwärts langsam (Reverse Slow Sweep)');
  });

  it('are stored as the device has them', async () => {
    await editor.done();
    const { form } = await editor.stored('strobe');
    assert.deepEqual(form, {
      pattern: text('Reverse Slow Sweep'),
      color1: text('blue'),
      ledlvl: text('low'),
    });
  });

  it('are words in the summary of an action, but where a message brings the value', async () => {
    await editor.edit('alert');
    const about = editor.page.locator('.algo-action .algo-about');
    await about.first().waitFor();
    assert.deepEqual(await about.allTextContents(), [
      'langsam · msg.high · hoch',
      'chime.wav · Schleife: nein',
    ]);
  });

  it('are words for a switch too', async () => {
    await editor.page.locator('.algo-action-title').nth(1).press('Enter');
    assert.equal(await chosen('Schleife'), 'nein (false)');
    await editor.choose(editor.row('Schleife').locator('.red-ui-typedInput-option-trigger'), 'ja (true)');
    await editor.page.locator('.algo-action-title').nth(1).press('Enter');
    const about = editor.page.locator('.algo-action .algo-about').nth(1);
    assert.equal(await textOf(about), 'chime.wav · Schleife: ja');
  });
});
