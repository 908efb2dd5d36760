import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import type { Editor } from './editor';
import { sourced, type Visit, visits } from './every-form';
import { cutIn } from './every-width';
import { device, emptyTab } from './ruled-flow';

export const flow: readonly FlowNode[] = [
  emptyTab,
  { id: 'tab', type: 'tab', label: 'Every dialog' },
  device,
  ...[...visits, ...sourced].map(({ node }) => node),
];

/** What one dialog showed while it was open. */
interface Seen {
  readonly rows: readonly string[];
  /** What the menu has that adds fields. */
  readonly offered: readonly string[];
  readonly choice: string | undefined;
  /** Whether it asks where the parameters are. */
  readonly parameters: boolean;
}

/**
 * Opens a dialog and closes it again: it shows its rows, cuts nothing off, and leaves its node as it was.
 * @param meanwhile what else is looked at while it is open
 */
export async function visit(
  editor: Editor,
  { node, rows, choice }: Visit,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const before = await editor.stored(node.id);
  assert.deepEqual(before.form, node.form);
  const form = Object(node.form);
  const seen = await look(editor, node.id, meanwhile);
  const parameters = rows.length > 0 || node.operation === 'put';
  const [set, offered] = [true, false].map((isSet) => rows.filter((name) => name in form === isSet));
  assert.deepEqual(seen, { rows: set, offered, choice, parameters }, node.id);
  assert.deepEqual(await editor.stored(node.id), before, node.id);
  assert.equal(before.changed, false);
}

/** Opens a dialog, reads what it shows, and presses Done. */
async function look(editor: Editor, id: string, meanwhile?: () => Promise<void>): Promise<Seen> {
  await editor.edit(id);
  const seen: Seen = await editor.page.evaluate(`(async () => {
    const form = document.querySelector('.algo-form');
    const shown = (one) => !one.closest('[hidden]') && one.style.display !== 'none';
    const select = [...form.querySelectorAll('.algo-variant select')].find(shown);
    const rows = [...form.querySelectorAll('.form-row[data-field]')].filter(shown);
    const parameters = shown(form.querySelector('.algo-parameters'));
    const add = [...form.querySelectorAll('.algo-add-field:not([hidden]) button')].find((one) => one.checkVisibility());
    add?.click();
    while (add?.getAttribute('aria-expanded') === 'false') await new Promise((resolve) => setTimeout(resolve));
    const offered = [...form.querySelectorAll('[role="option"]')].map(({ dataset }) => dataset.name);
    add?.click();
    return { rows: rows.map(({ dataset }) => dataset.field), offered, choice: select?.value, parameters };
  })()`);
  assert.deepEqual(await cutIn(editor.page), [], id);
  await meanwhile?.();
  await editor.done();
  return seen;
}
