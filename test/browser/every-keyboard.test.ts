import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { reachesAll } from './every-tab';
import { device } from './ruled-flow';
import { editorSession } from './session';

const tab = { z: 'tab', x: 900, y: 100 };
const byMessage = { ...tab, target: 'msg' };

/** Those that are no dialogs of operations, whose keyboard `every-dialog.test.ts` tests. */
const others = [
  { ...tab, id: 'alert', type: 'algo-alert', wires: [[], []] },
  { ...tab, id: 'status', type: 'algo-status', wires: [[], []] },
  { ...tab, id: wording('relay-input:noun'), type: 'algo-relay-input', wires: [[], []] },
  { ...tab, id: wording('console-events:noun'), type: 'algo-console-events', wires: [[], []] },
  { ...tab, id: 'receipts', type: 'algo-receipts', wires: [[]] },
  { ...tab, id: 'site', type: 'algo-site', wires: [[], []] },
  { ...tab, id: 'remote', type: 'algo-remote', wires: [[], []] },
  { ...tab, id: 'virtual', type: 'algo-virtual', wires: [[]] },
  {
    ...byMessage,
    id: 'bells',
    type: 'algo-scheduler',
    operation: 'sync',
    parametersType: 'form',
    wires: [[]],
  },
];
const configs = [
  { id: 'group', type: 'algo-group', name: 'All' },
  { id: 'virtual device', type: 'algo-virtual-device', name: 'A virtual one', model: '8301' },
];

describe('every other dialog by the Tab key', () => {
  let editor: Editor;
  editorSession(
    [{ id: 'tab', type: 'tab', label: 'By the Tab key' }, device, ...others, ...configs],
    (opened) => {
      editor = opened;
    },
  );

  for (const { id } of others) {
    it(`is worked: ${id}`, async () => {
      await editor.edit(id);
      await reachesAll(editor.page);
      await editor.done('#node-dialog-cancel');
    });
  }

  for (const { type, id } of [device, ...configs]) {
    it(`is worked: ${id}`, async () => {
      await editor.editConfig(type, id);
      await reachesAll(editor.page);
      await editor.done('#node-config-dialog-cancel');
    });
  }
});
