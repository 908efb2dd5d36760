import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { editorSession } from './session';

const flow = [
  { id: 'tab', type: 'tab', label: 'Entrance' },
  {
    id: 'virtual',
    type: 'algo-virtual-device',
    name: 'Virtual 8063',
    model: '8063',
    firmware: '5.7',
    auth: 'standard',
    port: 0,
  },
  {
    id: 'device',
    type: 'algo-device',
    name: 'Front door',
    virtual: 'virtual',
    auth: 'standard',
    timeout: 10,
  },
  {
    id: 'inject',
    type: 'inject',
    z: 'tab',
    x: 140,
    y: 120,
    name: 'press me',
    props: [{ p: 'payload' }],
    payload: '',
    payloadType: 'date',
    repeat: '',
    crontab: '',
    once: false,
    wires: [[]],
  },
];

describe('a first door, from the palette to the status', () => {
  let editor: Editor;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });

  it('drops a door node, fills it in, deploys, presses inject and finds everything again', async () => {
    const { page } = editor;
    await editor.palette('algo-door').scrollIntoViewIfNeeded();
    await editor.palette('algo-door').hover();
    await page.mouse.down();
    await page.mouse.move(700, 300, { steps: 8 });
    await page.mouse.up();
    const door: string = await page.evaluate('RED.nodes.filterNodes({ type: "algo-door" })[0].id');
    await editor.doubleClick(door);
    await page
      .locator('#node-input-operation')
      .selectOption({ label: wording('door:operation.munlock.title') });
    await page.locator('#node-input-device').selectOption({ label: 'Front door' });
    const shown = editor.row('Door').locator('.red-ui-typedInput-option-label');
    assert.equal(await textOf(shown), 'local', 'the door of an 8063');
    const required = editor.row('Duration').locator('.algo-error');
    assert.equal(await textOf(required), '');
    await page.getByRole('textbox', { name: 'Duration (s)' }).focus();
    await editor.row('Door').locator('.red-ui-typedInput-option-trigger').focus();
    assert.equal(await textOf(required), 'Required');
    await page.getByRole('textbox', { name: 'Duration (s)' }).fill('five');
    assert.equal(
      await textOf(editor.row('Duration').locator('.algo-error')),
      wording('shared:form.invalid.value', { limits: wording('phrases:seconds') }),
    );
    await page.getByRole('textbox', { name: 'Duration (s)' }).fill('5');
    assert.equal(await page.locator('.algo-error:visible').count(), 0);
    await editor.done();
    assert.match(
      await textOf(editor.node(door)),
      new RegExp(`${wording('door:operation.munlock.title')} local 5 s → Front door`),
    );
    assert.deepEqual((await editor.stored(door)).problems, []);

    await editor.node('inject').locator('.red-ui-flow-port-output').hover();
    await page.mouse.down();
    await editor.node(door).locator('.red-ui-flow-port-input').hover();
    await page.mouse.up();
    await page.locator('.red-ui-flow-link-line').waitFor({ state: 'attached' });
    await editor.deploy();
    await editor.press(editor.node('inject').locator('.red-ui-flow-node-button'));
    await editor.status(door, 'accepted');
    await shared.nodeRed.waitForOutput(/door\/munlock .*-> \d/);
    const requests = shared.nodeRed.log().match(/\/api\/controls\/door\/munlock .*/g);
    assert.equal(requests?.length, 1, shared.nodeRed.log());
    assert.match(String(requests), /"doorid":"local","duration":"5".*-> 200/);

    await editor.reload();
    await editor.doubleClick(door);
    assert.equal(await page.locator('#node-input-operation').inputValue(), 'munlock');
    assert.equal(await page.locator('#node-input-device').inputValue(), 'device');
    assert.equal(await textOf(editor.row('Door').locator('.red-ui-typedInput-option-label')), 'local');
    assert.equal(await page.getByRole('textbox', { name: 'Duration (s)' }).inputValue(), '5');
    await editor.done();
    const { changed, form, operation, target, parametersType } = await editor.stored(door);
    assert.deepEqual(
      { changed, form, operation, target, parametersType },
      {
        changed: false,
        form: { doorid: { type: 'str', value: 'local' }, duration: { type: 'num', value: '5' } },
        operation: 'munlock',
        target: 'device',
        parametersType: 'form',
      },
    );
  });
});
