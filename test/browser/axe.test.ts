import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { PanelServer } from '../../src/virtual-device/panel/server';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import { bringAxe, type Complaint, complaintsOf, ofColors } from './axe';
import { coreNodes, flow, isConfig, ours } from './axe-flow';
import type { Editor } from './editor';
import { editorSession } from './session';

/** What Node-RED makes within the form of a dialog, and we cannot name. */
const widgetsOfCore = /\.red-ui-(?:trap-|typedInput-option-expand)/;

describe('axe, in all dialogs', () => {
  let editor: Editor;
  /** What Node-RED brings to every dialog: a rule, and a shape of its own. */
  const ofCore = new Set<string>();
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });

  const keyOf = ({ rule, shape }: Complaint): string => `${rule} ${shape}`;
  const isOurs = (one: Complaint): boolean => !(widgetsOfCore.test(one.shape) && ofCore.has(keyOf(one)));

  async function prepare(): Promise<void> {
    await bringAxe(editor.page);
    // The editor's body has no height and hides what is outside of it: axe would take all texts for hidden.
    const content = 'body { min-height: 100vh !important } * { transition: none !important }';
    await editor.page.addStyleTag({ content });
  }

  const inTheDark = (isDark: boolean) =>
    editor.page.evaluate(`document.documentElement.classList.toggle("nr-theme-dark", ${isDark})`);

  /** All that axe has against a part of the editor, in both themes. */
  async function listen(part: string): Promise<Complaint[]> {
    const complaints = await complaintsOf(editor.page, part);
    await inTheDark(true);
    complaints.push(...(await complaintsOf(editor.page, part, ofColors)));
    await inTheDark(false);
    return complaints;
  }

  /** Opens a dialog of a node, does something in it, hears what axe has against it then, and leaves it. */
  async function visit(node: FlowNode, inside = unfold): Promise<Complaint[]> {
    const { page } = editor;
    if (isConfig(node)) await editor.editConfig(node.type, node.id);
    else await editor.edit(node.id);
    await inside();
    const complaints = await listen('.red-ui-tray form');
    await page.locator(isConfig(node) ? '#node-config-dialog-cancel' : '#node-dialog-cancel').click();
    await page.locator('.red-ui-tray').waitFor({ state: 'detached' });
    return complaints;
  }

  async function unfold(): Promise<void> {
    const folds = "document.querySelectorAll('.red-ui-tray details')";
    await editor.page.evaluate(`${folds}.forEach((one) => { one.open = true; })`);
  }

  afterEach(async function () {
    // The editor was loaded again.
    if (this.currentTest?.state === 'failed') await prepare();
  });

  before(async () => {
    await prepare();
    for (const node of coreNodes) for (const one of await visit(node)) ofCore.add(keyOf(one));
  });

  for (const node of ours) {
    it(`has nothing against "${node.id}", ${node.type}`, async () => {
      assert.deepEqual((await visit(node)).filter(isOurs), []);
    });
  }

  it('has nothing against what a dialog shows when it is asked', async () => {
    const { page } = editor;
    const button = (name: string) => page.locator('.red-ui-tray').getByRole('button', { name, exact: true });
    const deeds: readonly [id: string, deed: () => Promise<void>][] = [
      [
        'device',
        async () => {
          await page.locator('#node-config-input-address').fill('http://127.0.0.1:1');
          await page.locator('#node-config-input-auth').selectOption('basic');
          await button('Test').click();
          await page.locator('#algo-device-found li').first().waitFor();
          await button(wording('device:find.button')).click();
          await page.locator('.algo-finder').waitFor();
          // What a button looks like under the pointer or with the focus is core's.
          await page.mouse.move(0, 0);
          await page.evaluate('document.activeElement.blur()');
        },
      ],
      [
        'group',
        async () => {
          await unfold();
          await page.locator('.algo-open').click();
          await page.locator('#algo-group-text').fill('no address at all\nGym,http://a:b@192.0.2.1');
          await page.locator('.algo-paste .algo-findings li').first().waitFor();
        },
      ],
      [
        'bells',
        async () => {
          await page.locator('#node-input-operation').selectOption('ring');
          await page.locator('.algo-add-field button:visible').first().click();
          await page.getByRole('combobox', { name: wording('shared:fields.search') }).waitFor();
        },
      ],
    ];
    for (const [id, deed] of deeds) {
      const node = ours.find((one) => one.id === id);
      assert.ok(node, id);
      assert.deepEqual((await visit(node, deed)).filter(isOurs), []);
    }
  });

  it('has nothing against the sidebar, as a list and with the details of a device', async () => {
    const { page } = editor;
    await page.evaluate('RED.sidebar.show("algo")');
    const row = page.locator('.algo-sidebar tr[data-id="device"]');
    await row.waitFor();
    assert.deepEqual((await listen('.algo-sidebar')).filter(isOurs), []);
    await row.click();
    await page.locator('.algo-details').waitFor();
    assert.deepEqual((await listen('.algo-sidebar')).filter(isOurs), []);
  });

  it('has nothing against the panel of a model of each kind', async () => {
    const device = new VirtualDevice({ model: '8301', password: 'hunter2' });
    await device.start();
    const panels = new PanelServer([device]);
    const page = await shared.browser.newPage();
    try {
      await page.goto(await panels.start(0));
      await page.locator('#connection[data-state="on"]').waitFor();
      await bringAxe(page);
      for (const model of ['8301', '8063', '8138', '8190S', '8410', '8450']) {
        device.controls.become(model, '5.7');
        await page.locator(`body[data-model="${model}"]`).waitFor();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const rules = colorScheme === 'dark' ? ofColors : [];
          assert.deepEqual(await complaintsOf(page, 'html', rules), [], `${model}, ${colorScheme}`);
        }
      }
    } finally {
      await page.close();
      await panels.stop();
      await device.stop();
    }
  });
});
