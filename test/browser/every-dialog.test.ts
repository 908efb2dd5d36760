import assert from 'node:assert/strict';
import { contrastsInBoth } from './contrast';
import type { Editor } from './editor';
import { sourced, visits } from './every-form';
import { namelessIn, snapshotOf } from './every-name';
import { reachesAll } from './every-tab';
import { flow, visit } from './every-visit';
import { editorSession } from './session';

describe('every dialog', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  async function namesAll(): Promise<void> {
    const snapshot = await snapshotOf(editor.page.locator('form.algo-form'));
    assert.deepEqual(namelessIn(snapshot), [], snapshot);
    assert.match(snapshot, /- combobox "Send to"/);
  }

  async function namesAndReachesAll(): Promise<void> {
    await namesAll();
    await reachesAll(editor.page);
  }

  for (const resource of new Set(visits.map(({ node }) => node.type))) {
    it(`of ${resource} shows its rows, with a name for who cannot see them and in reach of the keyboard, and leaves what is right`, async () => {
      const own = visits.filter(({ node }) => node.type === resource);
      const [richest] = [...own].sort((a, b) => b.rows.length - a.rows.length);
      for (const one of own) {
        await visit(editor, one, one === richest ? namesAndReachesAll : undefined);
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

  it('can be read in both themes', async () => {
    for (const id of ['screen start school_time sourced', 'settings put', 'tone start', 'request request']) {
      await editor.edit(id);
      const parts = ':is(label, legend, summary, .algo-hint, .algo-error, button, select)';
      for (const [theme, ratios] of await contrastsInBoth(editor.page, `.algo-form ${parts}`)) {
        assert.ok(ratios.length > 5, id);
        for (const ratio of ratios) assert.ok(ratio >= 4.5, `${id}, ${theme}: ${ratio.toFixed(1)}`);
      }
      await editor.done();
    }
  });
});
