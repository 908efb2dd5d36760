import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import { shown } from '../editor/rows';
import type { Editor } from './editor';
import type { FlowNode } from './node-red';
import { editorSession } from './session';

/** No form is higher before somebody adds to it. */
const highest = 900;

const common = { z: 'tab', name: '', target: 'device', device: 'device', group: '', wires: [[]] };
const byForm = { ...common, parametersType: 'form', parameters: 'payload', form: {}, x: 200, y: 100 };

const nodes = everyGroup.flatMap(({ noun, operations }) =>
  operations.map(
    ({ id }): FlowNode => ({ ...byForm, id: `${noun} ${id}`, type: `algo-${noun}`, operation: id }),
  ),
);

const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Every height' },
  { id: 'device', type: 'algo-device', name: 'Hall', address: '192.0.2.10', auth: 'none', timeout: 10 },
  ...nodes,
];

describe('every dialog', function () {
  this.timeout(240_000);
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  const height = (): Promise<number> =>
    editor.page.evaluate("document.querySelector('form.algo-form').scrollHeight");

  for (const { noun, operations } of everyGroup) {
    it(`of algo-${noun} is at most ${highest} px high before somebody adds to it`, async () => {
      for (const { id } of operations) {
        await editor.edit(`${noun} ${id}`);
        assert.ok((await height()) <= highest, `${id}: ${await height()} px`);
        await editor.done();
      }
    });
  }

  it('of a screen is at most as high, whatever is to be shown', async () => {
    await editor.edit('screen start');
    const choice = editor.page.getByLabel('What to show');
    for (const value of [...Object.keys(shown), 'all']) {
      await choice.selectOption(value);
      assert.ok((await height()) <= highest, `${value}: ${await height()} px`);
    }
    await editor.done('#node-dialog-cancel');
  });
});
