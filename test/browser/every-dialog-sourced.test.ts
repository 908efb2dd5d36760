import assert from 'node:assert/strict';
import type { Editor } from './editor';
import { sourced } from './every-form';
import { flow, visit } from './every-visit';
import { editorSession } from './session';

describe('every dialog', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  for (const resource of new Set(sourced.map(({ node }) => node.type))) {
    it(`of ${resource} leaves what comes from elsewhere, and what it does not know`, async () => {
      for (const one of sourced.filter(({ node }) => node.type === resource)) await visit(editor, one);
    });
  }

  it('stores what rows hold that are not made yet when somebody presses Done', async () => {
    const [largest] = [...sourced].sort((a, b) => b.rows.length - a.rows.length);
    assert.ok(largest);
    const { id, form } = largest.node;
    const before = await editor.stored(id);
    const unmade: number = await editor.page.evaluate(`(() => {
      let late = 0;
      const now = performance.now.bind(performance);
      // So slow that a slice ends with its first row.
      performance.now = () => now() + (late += 1000);
      RED.editor.edit(RED.nodes.node(${JSON.stringify(id)}));
      delete performance.now;
      $('#node-input-name').val('Hurried');
      const rows = [...document.querySelectorAll('.algo-field[data-field]')].filter((row) => row.checkVisibility());
      const unmade = rows.filter((row) => !row.querySelector('.red-ui-typedInput')).length;
      $('#node-dialog-ok').trigger('click');
      return unmade;
    })()`);
    await editor.page.locator('.red-ui-tray').waitFor({ state: 'detached' });
    assert.ok(unmade > 5, `${unmade}`);
    const { name, form: kept, problems } = await editor.stored(id);
    assert.deepEqual([name, kept, problems], ['Hurried', form, before.problems]);
  });
});
