import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { visits } from './every-form';
import { flow } from './every-visit';
import { device } from './ruled-flow';
import { editorSession } from './session';

const tab = { z: 'tab', x: 900, y: 100 };
const byMessage = { ...tab, target: 'msg' };

/** Those that are no dialogs of operations. */
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

/** Of the dialogs of each node the one with the most rows. */
const richest = new Map<string, (typeof visits)[number]>();
for (const one of visits) {
  const known = richest.get(one.node.type);
  if (!known || known.rows.length < one.rows.length) richest.set(one.node.type, one);
}

describe('every dialog by the Tab key', () => {
  let editor: Editor;
  editorSession([...flow, ...others, ...configs], (opened) => {
    editor = opened;
  });

  /** The controls that can be seen in the dialog that is open, and those that the key does not come to. */
  async function missedIn(): Promise<{ count: number; missed: string[] }> {
    const { page } = editor;
    const count = await page.evaluate<number>(`(() => {
      const form = document.querySelector('form:has(:is(#node-input-name, #node-config-input-name))');
      const all = form.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]');
      const isUsed = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.getBoundingClientRect().width > 1;
      window.untouched = new Set([...all].filter(isUsed));
      const count = untouched.size;
      form.addEventListener('focusin', ({ target }) => untouched.delete(target));
      document.activeElement.blur();
      [...untouched][0].focus();
      return count;
    })()`);
    for (let press = 0; press < count + 25; press += 1) await page.keyboard.press('Tab');
    const missed = await page.evaluate<string[]>(`[...untouched].filter((one) => one.checkVisibility())
      .map((one) => (one.id || one.className) + ' ' + (one.ariaLabel ?? one.textContent).trim().slice(0, 40))`);
    return { count, missed };
  }

  for (const id of [...[...richest.values()].map(({ node }) => node.id), ...others.map(({ id }) => id)]) {
    it(`is worked: ${id}`, async () => {
      await editor.edit(id);
      const { count, missed } = await missedIn();
      assert.ok(count >= 4, String(count));
      assert.deepEqual(missed, []);
      await editor.done('#node-dialog-cancel');
    });
  }

  for (const { type, id } of [device, ...configs]) {
    it(`is worked: ${id}`, async () => {
      await editor.editConfig(type, id);
      const { count, missed } = await missedIn();
      assert.ok(count >= 4, String(count));
      assert.deepEqual(missed, []);
      await editor.done('#node-config-dialog-cancel');
    });
  }
});
