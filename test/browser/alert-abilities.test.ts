import assert from 'node:assert/strict';
import { flow } from './alert-flow';
import type { Editor } from './editor';
import { editorSession } from './session';

describe('who will do which deed of an alert', function () {
  this.timeout(120_000);
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  it('takes what the runtime knows of a target for which no model is set, and says so', async () => {
    let asked: unknown;
    await editor.page.route('**/algo/overview/known', async (route) => {
      asked = route.request().postDataJSON();
      await route.fulfill({ json: { known: { 'all/Gym': { model: '8301', firmware: '5.7' } } } });
    });
    await editor.edit('three');
    const form = editor.page.locator('form:has(#node-input-afterRestart)');
    const told = form.locator('.algo-abilities tbody tr').nth(3);
    await told.getByText('8301, as the device says').waitFor({ state: 'attached' });
    await editor.page.unroute('**/algo/overview/known');
    assert.deepEqual(asked, { ids: ['all/Gym'] });
    assert.deepEqual(await told.locator('th, td').allTextContents(), [
      'Gym 8301, as the device says',
      'no, not this model',
      'no, not this model',
      'no, not this model',
    ]);
    const wall = form.locator('.algo-abilities tbody tr').first();
    assert.equal((await wall.locator('th').allTextContents())[0], 'Wall 8410');
  });
});
