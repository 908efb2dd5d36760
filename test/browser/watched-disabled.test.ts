import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { cutIn } from './every-width';
import { editorSession } from './session';

const device = { type: 'algo-device', auth: 'none', certificate: 'verify', timeout: 10, model: '8301' };
const group = { type: 'algo-group', rows: [], tags: '', auth: 'none', maxParallel: 100 };
const watching = {
  z: 'tab',
  x: 200,
  device: '',
  target: 'group',
  group: 'all',
  interval: 10,
  wires: [[], []],
};

const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Watched' },
  { ...device, id: 'barn', name: 'Barn', address: '192.0.2.1', d: true },
  { ...device, id: 'hall', name: 'Hall', address: '192.0.2.2' },
  { ...group, id: 'all', name: 'All', devices: ['barn', 'hall'] },
  { ...group, id: 'some', name: 'Some', devices: ['hall'] },
  { ...group, id: 'yard', name: 'Yard', devices: ['hall'], d: true },
  ...['status', 'relay-input', 'console-events'].map((resource, place) => ({
    ...{ ...watching, id: resource, type: `algo-${resource}`, y: 100 + 80 * place },
  })),
];

describe('the dialog of a node that watches', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  afterEach(() => editor.startOver());

  for (const id of ['status', 'relay-input', 'console-events']) {
    it(`marks which devices of its group are disabled (${id})`, async () => {
      const { page } = editor;
      const mark = page.locator('.algo-disabled');
      const is = (text: string) => mark.filter({ hasText: text }).waitFor();
      const chosen = page.locator('#node-input-group');
      await editor.edit(id);
      await is(`Barn: ${wording('shared:form.disabled.device')}`);
      assert.deepEqual(await cutIn(page), []);
      await chosen.selectOption('some');
      await page.locator('.algo-disabled:empty').waitFor({ state: 'attached' });
      await chosen.selectOption('yard');
      await is(`Yard: ${wording('shared:form.disabled.group')}`);
      await page.locator('#node-input-target').selectOption('device');
      await page.locator('.algo-disabled:empty').waitFor({ state: 'attached' });
    });
  }
});
