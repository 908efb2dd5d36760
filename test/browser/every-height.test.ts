import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import { shown } from '../editor/rows';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { emptyTab } from './ruled-flow';
import { editorSession } from './session';

/** No form is higher before somebody adds to it. */
const maxHeight = 950;

const common = { z: 'tab', name: '', target: 'device', device: 'device', group: '', wires: [[]] };
const byForm = { ...common, parametersType: 'form', parameters: 'payload', form: {}, x: 200, y: 100 };

const nodes = everyGroup.map(
  ({ resource, operations: [first] }): FlowNode => ({
    ...byForm,
    ...{ id: resource, type: `algo-${resource}`, operation: first?.id },
  }),
);

const flow: readonly FlowNode[] = [
  emptyTab,
  { id: 'tab', type: 'tab', label: 'Every height' },
  { id: 'device', type: 'algo-device', name: 'Hall', address: '192.0.2.10', auth: 'none', timeout: 10 },
  ...nodes,
];

describe('every dialog', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  /** Somebody has been in each field and left it as it was, so that each says what is missing. */
  const height = (): Promise<number> =>
    editor.page.evaluate(`(() => {
      const form = document.querySelector('form.algo-form');
      const next = { bubbles: true, relatedTarget: document.querySelector('#node-input-name') };
      for (const row of form.querySelectorAll('.algo-field:not([hidden])'))
        row.dispatchEvent(new FocusEvent('focusout', next));
      return form.scrollHeight;
    })()`);

  for (const { resource, operations } of everyGroup) {
    it(`of algo-${resource} is at most ${maxHeight} px high before somebody adds to it`, async () => {
      await editor.edit(resource);
      for (const { id } of operations) {
        if (operations.length > 1) await editor.page.locator('#node-input-operation').selectOption(id);
        assert.ok((await height()) <= maxHeight, `${id}: ${await height()} px`);
      }
      await editor.done('#node-dialog-cancel');
    });
  }

  it('of a screen is at most as high, whatever is to be shown', async () => {
    await editor.edit('screen');
    const choice = editor.page.getByLabel(wording('shared:form.variant'));
    for (const value of [...Object.keys(shown), 'all']) {
      await choice.selectOption(value);
      assert.ok((await height()) <= maxHeight, `${value}: ${await height()} px`);
    }
    await editor.done('#node-dialog-cancel');
  });
});
