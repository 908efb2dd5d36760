import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { contrastsInBoth } from './contrast';
import type { Editor } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { configs, dialogs, flow, type Other } from './every-other';
import { cutIn } from './every-width';
import { editorSession } from './session';

/** The form of a dialog's properties; beside it are those of its description and its looks. */
const properties = 'form:has(:is(#node-input-name, #node-config-input-name))';

/** As a program may write it: what it leaves out has the usual value. */
const bare = {
  id: 'bare',
  type: 'algo-relay-input',
  z: 'tab',
  x: 200,
  y: 400,
  device: 'device',
  wires: [[], []],
};

describe('every other dialog', () => {
  let editor: Editor;
  editorSession([...flow, bare], (opened) => {
    editor = opened;
  });

  afterEach(async function () {
    // One that failed may have left its dialog open, in the way of the next.
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  /** The form of the dialog on top. */
  const form = (): Locator => editor.page.locator(properties);
  const isConfig = ({ node }: Other): boolean => configs.some((one) => one.node === node);

  async function open(one: Other): Promise<void> {
    if (isConfig(one)) await editor.editConfig(one.node.type, one.node.id);
    else await editor.edit(one.node.id);
  }

  async function close(one: Other): Promise<void> {
    await editor.done(isConfig(one) ? '#node-config-dialog-ok' : '#node-dialog-ok');
  }

  /** The properties of the flow, as the editor holds them. */
  async function storedOf({ node }: Other): Promise<object> {
    const stored = await editor.stored(node.id);
    return Object.fromEntries(
      Object.keys(stored)
        .filter((key) => key in node)
        .map((key) => [key, stored[key]]),
    );
  }

  const given = ({ node }: Other): object =>
    Object.fromEntries(
      Object.entries(node).filter(([key]) => !['id', 'type', 'x', 'y', 'z', 'wires'].includes(key)),
    );

  for (const one of dialogs) {
    it(`of ${one.node.type} shows its rows, can be read in both themes, and leaves "${one.node.id}" as it was`, async () => {
      assert.deepEqual(await storedOf(one), given(one));
      await open(one);
      const label = form().locator('.form-row > label:visible');
      // Some rows are made by a script that comes when the dialog opens.
      await label.nth(one.labels.length - 1).waitFor();
      const labels = await label.allTextContents();
      assert.deepEqual(labels.map((label) => label.trim()).sort(), [...one.labels].sort());
      const snapshot = await snapshotOf(form());
      assert.deepEqual(namelessIn(snapshot), [], snapshot);
      // Rows stand in the place of the box of "Parameters", whose button stays.
      const hidden = one.node.id === 'press' ? 1 : 0;
      assert.ok(
        (snapshot.match(/- (?:textbox|combobox|checkbox) "/g) ?? []).length >= one.labels.length - hidden,
        snapshot,
      );
      assert.deepEqual(await cutIn(editor.page), []);
      const parts = ':is(label, .algo-hint, .algo-error, button, select, input)';
      for (const [theme, ratios] of await contrastsInBoth(editor.page, `${properties} ${parts}`)) {
        assert.ok(ratios.length > 4, theme);
        for (const ratio of ratios) assert.ok(ratio >= 4.5, `${theme}: ${ratio.toFixed(1)}`);
      }
      await close(one);
      const { changed, problems } = await editor.stored(one.node.id);
      assert.deepEqual([await storedOf(one), changed, problems], [given(one), false, []]);
    });
  }

  it('shows what a flow leaves out as it is at runtime, and finds nothing wrong with it', async () => {
    assert.deepEqual((await editor.stored('bare')).problems, []);
    await editor.edit('bare');
    assert.equal(await editor.page.locator('#node-input-initial').isChecked(), false);
    await editor.done();
    const { initial, problems } = await editor.stored('bare');
    assert.deepEqual([Boolean(initial), problems], [false, []]);
  });

  it('keeps everything over a deploy', async () => {
    await editor.edit('events');
    await editor.page.locator('#node-input-name').fill('Changed');
    await editor.done();
    await editor.deploy();
    await editor.reload();
    for (const one of dialogs) {
      const name = one.node.id === 'events' ? { name: 'Changed' } : {};
      assert.deepEqual(await storedOf(one), { ...given(one), ...name }, one.node.id);
    }
  });
});
