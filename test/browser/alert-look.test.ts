import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { flow } from './alert-flow';
import { contrasts } from './contrast';
import type { Editor } from './editor';
import { namelessIn } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

describe('what the dialog of an alert looks like', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  const form = () => editor.page.locator('form:has(#node-input-afterRestart)');
  const button = (name: string) => form().getByRole('button', { name, exact: true });
  async function open(id: string): Promise<void> {
    await editor.edit(id);
    await form().locator('.algo-action-list').waitFor({ state: 'attached' });
  }
  async function cancel(): Promise<void> {
    await editor.done('#node-dialog-cancel');
  }

  it('names every control, has no id twice, and cuts nothing', async () => {
    await open('wrong');
    for (const title of await form().locator('.algo-action-title').all()) await title.click();
    await form().getByLabel(wording('alert:action.choice')).selectOption('strobe/start');
    await button('Add').click();
    const rows = await form().locator(':is(.form-row, .algo-alert-actions, .algo-abilities):visible').all();
    const snapshot = (await Promise.all(rows.map((row) => row.ariaSnapshot()))).join('\n');
    assert.deepEqual(namelessIn(snapshot), []);
    assert.deepEqual(await cutIn(editor.page), []);
    const twice = await editor.page.evaluate(`(() => {
      const ids = [...document.querySelectorAll('form:has(#node-input-afterRestart) [id]')].map(({ id }) => id);
      return ids.filter((id, place) => ids.indexOf(id) !== place);
    })()`);
    assert.deepEqual(twice, []);
    await cancel();
  });

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      await editor.page.evaluate(
        `document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`,
      );
      await open('wrong');
      await form().locator('.algo-action-title').first().click();
      const parts =
        ':is(label, legend, summary, th, td, li, .algo-hint, .algo-error, .algo-about, button:enabled, input)';
      const ratios = await contrasts(editor.page, `form:has(#node-input-afterRestart) ${parts}`);
      assert.ok(ratios.length > 40);
      for (const ratio of ratios) assert.ok(ratio >= 4.5, ratio.toFixed(1));
      await cancel();
    });
  }
});
