import assert from 'node:assert/strict';
import { contrasts } from './contrast';
import type { Editor } from './editor';
import { sourced, visits } from './every-form';
import { namelessIn, snapshotOf } from './every-name';
import { flow, visit } from './every-visit';
import { editorSession } from './session';

describe('every dialog', function () {
  this.timeout(240_000);
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  for (const noun of new Set(visits.map(({ node }) => node.type))) {
    it(`of ${noun} shows its rows, finds nothing wrong, and leaves what it shows`, async () => {
      for (const one of visits.filter(({ node }) => node.type === noun)) {
        await visit(editor, one);
        assert.deepEqual((await editor.stored(one.node.id)).problems, [], one.node.id);
      }
    });
  }

  it('keeps everything over a deploy', async () => {
    await editor.edit('door lock');
    await editor.page.locator('#node-input-name').fill('Changed');
    await editor.done();
    await editor.page.locator('#red-ui-header-button-deploy').click();
    await editor.page.getByRole('button', { name: 'Confirm deploy' }).click();
    await editor.page.locator('#red-ui-header-button-deploy.disabled').waitFor();
    await editor.reload();
    for (const { node } of [...visits, ...sourced]) {
      const { form, operation } = await editor.stored(node.id);
      assert.deepEqual([form, operation], [node.form, node.operation], node.id);
    }
    for (const one of visits.filter(({ node }) => ['screen start dualclock1'].includes(node.id)))
      await visit(editor, one);
  });

  for (const noun of new Set(visits.map(({ node }) => node.type))) {
    it(`of ${noun} names every control to those who cannot see it`, async () => {
      const rich = [...visits]
        .filter(({ node }) => node.type === noun)
        .sort((a, b) => b.rows.length - a.rows.length);
      await editor.edit(rich[0]?.node.id ?? '');
      const snapshot = await snapshotOf(editor.page.locator('form.algo-form'));
      assert.deepEqual(namelessIn(snapshot), [], snapshot);
      assert.match(snapshot, /- combobox "Send to"/);
      await editor.done();
    });
  }

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      const { page } = editor;
      await page.evaluate(`document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`);
      for (const id of [
        'screen start school_time sourced',
        'settings put',
        'tone start',
        'request request',
      ]) {
        await editor.edit(id);
        const ratios = await contrasts(
          page,
          '.algo-form :is(label, legend, summary, .algo-hint, .algo-error, button, select)',
        );
        assert.ok(ratios.length > 5, id);
        for (const ratio of ratios) assert.ok(ratio >= 4.5, `${id}: ${ratio.toFixed(1)}`);
        await editor.done();
      }
    });
  }
});
