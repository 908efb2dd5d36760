import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { byForm, device, ruled, text } from './ruled-flow';
import { editorSessionIn } from './session';

const flow = [
  { id: 'tab', type: 'tab', label: 'Deutsch' },
  { ...device, name: 'Halle' },
  { ...ruled, form: { ...ruled.form, stopAfter: text('soon') } },
  {
    ...byForm,
    ...{ id: 'days', type: 'algo-scheduler', y: 300, operation: 'skip' },
    form: { dates: { type: 'json', value: '["2030-05-08"]' } },
  },
];

describe('an editor set to German', () => {
  let editor: Editor;
  editorSessionIn('de', flow, (opened) => {
    editor = opened;
  });

  it('names the nodes in German', async () => {
    assert.equal(await textOf(editor.palette('algo-door').locator('.red-ui-palette-label')), 'Tür');
    assert.equal(
      await textOf(editor.palette('algo-strobe').locator('.red-ui-palette-label')),
      'Blitzleuchte',
    );
  });

  it('says in German what is wrong with a form, before its dialog was ever opened', async () => {
    const { problems } = await editor.stored('ruled');
    assert.deepEqual((problems as string[]).toSorted(), [
      'Blitzfarbe ist bei Blitzmuster ungleich 15 (aus) erforderlich; erlaubt ist eines von red, blue, green, amber',
      'Blitzhelligkeit ist bei Blitzmuster ungleich 15 (aus) erforderlich; erlaubt ist eines von low, medium, high, 0, 56, 255',
      'Stoppen nach (s): Muss eine Zeit in ganzen Sekunden ab 0 sein',
    ]);
  });

  it('shows a dialog in German: its rows, what they say, and the help beside it', async () => {
    await editor.edit('ruled');
    const row = editor.row('Blitzfarbe').first();
    assert.equal(
      await textOf(row.locator('.algo-error')),
      'Blitzfarbe ist bei Blitzmuster ungleich 15 (aus) erforderlich; erlaubt ist eines von red, blue, green, amber',
    );
    assert.equal(
      await textOf(editor.row('Stoppen nach').locator('.algo-hint')),
      'Entfernt den Inhalt nach dieser Zeit. Ab Firmware 5.7.',
    );
    const dialog = await textOf(editor.page.locator('.red-ui-tray-body'));
    assert.doesNotMatch(dialog, /\b(?:the|and|with|which)\b/i);
    await editor.done('#node-dialog-cancel');
    await editor.page.evaluate(`RED.sidebar.help.show('algo-screen')`);
    const help = editor.page.locator('.red-ui-help').last();
    await help.getByText('Zeigt Bilder, Uhren, Folien').waitFor();
    await help
      .getByText(wording('screen:field.textBg.label'), { exact: true })
      .waitFor({ state: 'detached' });
    assert.ok((await textOf(help)).includes('Farbe hinter dem Text.'));
  });

  it('names months and days in German, whatever the browser speaks', async () => {
    await editor.edit('days');
    const form = editor.page.locator('#dialog-form');
    await form.getByText('Mai 2030').waitFor();
    await form.getByLabel('Mittwoch, 8. Mai 2030').waitFor();
    await editor.done('#node-dialog-cancel');
  });
});
