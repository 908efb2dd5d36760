import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { bringAxe, complaintsOf } from './axe';
import { BellsDialog, flow, lesson, lunch } from './bells-flow';
import type { Editor } from './editor';
import { namelessIn } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

describe('the tones in the table of bells', () => {
  let editor: Editor;
  let dialog: BellsDialog;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
    dialog = new BellsDialog(opened);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  const offers = () => dialog.form().locator('.algo-bells .algo-offers');
  const tones = () => offers().locator('li');
  const opening = (row: number) =>
    dialog.form().getByRole('button', { name: wording('scheduler:rows.audioPick', { row }), exact: true });
  const hasFocus = (row: number) => opening(row).evaluate((button) => button === document.activeElement);

  it('are those of the device, chosen with the keyboard alone', async () => {
    await dialog.open('sync');
    assert.doesNotMatch(shared.nodeRed.log(), /tonelist/);
    await opening(1).press('Enter');
    await tones().filter({ hasText: 'gong.wav' }).waitFor();
    await shared.nodeRed.waitForOutput(/GET \/api\/info\/tonelist/);
    assert.equal(await tones().count(), 13);
    assert.equal(await opening(1).getAttribute('aria-expanded'), 'true');
    assert.deepEqual(namelessIn(await dialog.form().locator('.algo-bells').ariaSnapshot()), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await bringAxe(editor.page);
    assert.deepEqual(await complaintsOf(editor.page, '.algo-bells'), []);
    await offers().getByRole('searchbox', { name: 'Search' }).fill('gong');
    await offers().getByRole('button', { name: 'gong.wav' }).press('Enter');
    assert.equal(await dialog.cell('Audio', 1).inputValue(), 'gong.wav');
    assert.equal(await offers().count(), 0);
    assert.ok(await hasFocus(1));
    await editor.done();
    assert.deepEqual(await dialog.bellsOf('sync'), [{ ...lesson, audio: 'gong.wav' }, lunch]);
  });

  it('are shown for one row at a time, and leave what is written as it is', async () => {
    await dialog.open('sync');
    const before = await dialog.cell('Audio', 1).inputValue();
    await opening(1).click();
    await tones().first().waitFor();
    await opening(2).click();
    await tones().first().waitFor();
    assert.equal(await offers().count(), 1);
    const expanded = [1, 2].map((row) => opening(row).getAttribute('aria-expanded'));
    assert.deepEqual(await Promise.all(expanded), ['false', 'true']);
    await offers().getByRole('searchbox').press('Escape');
    assert.equal(await offers().count(), 0);
    assert.ok(await hasFocus(2));
    await opening(2).click();
    await tones().first().waitFor();
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:rows.remove', { row: 2 }) })
      .click();
    await offers().waitFor({ state: 'detached' });
    assert.equal(await dialog.cell('Audio', 1).inputValue(), before);
    await dialog.cancel();
  });

  it('are the 13 that every device brings where none is chosen, also for a bell that is new', async () => {
    await dialog.open('empty');
    await editor.page.locator('#node-input-target').selectOption('msg');
    await dialog
      .form()
      .getByRole('button', { name: wording('rows:rows.add') })
      .click();
    await opening(1).click();
    await offers().getByText(wording('device:pick.noDevice')).waitFor();
    assert.equal(await tones().count(), 13);
    await offers().getByRole('button', { name: 'chime.wav' }).click();
    assert.equal(await dialog.cell('Audio', 1).inputValue(), 'chime.wav');
    await dialog.cancel();
  });
});
