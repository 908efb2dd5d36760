import assert from 'node:assert/strict';
import { contrasts } from './contrast';
import type { Editor } from './editor';
import { sourced, type Visit, visits } from './every-form';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import type { FlowNode } from './node-red';
import { editorSession } from './session';

const device = {
  id: 'device',
  type: 'algo-device',
  name: 'Hall',
  address: '192.0.2.10',
  auth: 'none',
  certificate: 'verify',
  timeout: 10,
};
const flow: readonly FlowNode[] = [
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

describe('every dialog', function () {
  this.timeout(240_000);
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  async function visit({ node, rows, choice }: Visit): Promise<void> {
    const before = await editor.stored(node.id);
    assert.deepEqual(before.form, node.form);
    const form = Object(node.form);
    const seen = await look(editor, node.id);
    const parameters = rows.length > 0 || node.operation === 'put';
    const [set, offered] = [true, false].map((isSet) => rows.filter((name) => name in form === isSet));
    assert.deepEqual(seen, { rows: set, offered, choice, parameters }, node.id);
    assert.deepEqual(await editor.stored(node.id), before, node.id);
    assert.equal(before.changed, false);
  }

  for (const noun of new Set(visits.map(({ node }) => node.type))) {
    it(`of ${noun} shows its rows, finds nothing wrong, and leaves what it shows`, async () => {
      for (const one of visits.filter(({ node }) => node.type === noun)) {
        await visit(one);
        assert.deepEqual((await editor.stored(one.node.id)).problems, [], one.node.id);
      }
    });

    it(`of ${noun} leaves what comes from elsewhere, and what it does not know`, async () => {
      for (const one of sourced.filter(({ node }) => node.type === noun)) await visit(one);
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
      await visit(one);
  });

  for (const noun of new Set(visits.map(({ node }) => node.type))) {
    it(`of ${noun} names every control to those who cannot see it`, async () => {
      const rich = [...visits]
        .filter(({ node }) => node.type === noun)
        .sort((a, b) => b.rows.length - a.rows.length);
      await editor.edit(rich[0]?.node.id ?? '');
      const snapshot = await snapshotOf(editor.page.locator('form.algo-form'));
      assert.deepEqual(namelessIn(snapshot), [], snapshot);
      assert.match(snapshot, /- combobox "Send to"/);
      await editor.done();
    });
  }

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      const { page } = editor;
      await page.evaluate(`document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`);
      for (const id of [
        'screen start school_time sourced',
        'settings put',
        'tone start',
        'request request',
      ]) {
        await editor.edit(id);
        const ratios = await contrasts(
          page,
          '.algo-form :is(label, legend, summary, .algo-hint, .algo-error, button, select)',
        );
        assert.ok(ratios.length > 5, id);
        for (const ratio of ratios) assert.ok(ratio >= 4.5, `${id}: ${ratio.toFixed(1)}`);
        await editor.done();
      }
    });
  }
});

/** Opens a dialog, reads what it shows, and presses Done. */
async function look(editor: Editor, id: string): Promise<Seen> {
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
  await editor.done();
  return seen;
}
