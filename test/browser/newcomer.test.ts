import assert from 'node:assert/strict';
import { InstalledNodeRed } from '../fixtures/installed-node-red';
import { wording } from '../fixtures/wording';
import { Editor } from './editor';
import { importExample } from './import-example';
import { openPanel } from './open-panel';
import { browsing } from './session';

/** Does what the README says under "Install it" and "Try it without hardware", and nothing else. */
describe('a newcomer without a device', () => {
  /** Two minutes are what it may take on a machine of its own; here other things may run beside it. */
  const shared = browsing();
  let nodeRed: InstalledNodeRed;
  let editor: Editor;

  after(() => nodeRed?.stop());
  afterEach(function () {
    return editor?.check(this.currentTest);
  });

  it('installs, imports the example, opens its tab, deploys, opens the panel, presses a button, and sees a strobe flash', async () => {
    nodeRed = await InstalledNodeRed.start(
      'editorTheme.tours=false',
      'editorTheme.palette.catalogues=[]',
      'telemetry.enabled=false',
    );
    editor = await Editor.open(shared.still, nodeRed.address);
    const { page } = editor;
    await importExample(page, '1 Start here', 'Try it without hardware');
    await page.locator('#red-ui-workspace-tabs').getByText('Try it without hardware').click();
    await editor.deploy();
    const id = (name: string): Promise<string> =>
      page.evaluate(`RED.nodes.filterNodes({}).find(({ name }) => name === ${JSON.stringify(name)}).id`);
    await editor.doubleClick(await id('Flash red for five minutes'));
    const panel = await openPanel(
      editor,
      `.red-ui-tray button:visible:has-text("${wording('sidebar:details.panel')}")`,
    );
    await panel.locator('#strobe .words', { hasText: /^Off$/ }).waitFor();
    await page.bringToFront();
    await editor.done();
    await editor.press(editor.node(await id('Flash the strobe')).locator('.red-ui-flow-node-button'));
    await panel.bringToFront();
    await panel.locator('#strobe .words', { hasText: 'Flashing red' }).waitFor();
    const motion = await panel.evaluate("getComputedStyle(document.querySelector('.lamp')).animationName");
    assert.equal(motion, 'flash-1');
    // Resolves once the lamp was seen dark and bright.
    await panel.evaluate(`new Promise((resolve) => {
      const seen = new Set();
      const look = () => {
        const level = Number(getComputedStyle(document.querySelector('.lamp')).fillOpacity);
        if (level < 0.2) seen.add('dark');
        if (level > 0.9) seen.add('bright');
        if (seen.size === 2) resolve();
        else requestAnimationFrame(look);
      };
      look();
    })`);
    await panel
      .locator('#request-list li', { hasText: /200 doneflash the strobe/ })
      .first()
      .waitFor();
    await panel.close();
    await page.bringToFront();
    await page.evaluate('RED.sidebar.show("debug")');
    const failed = page.locator('.red-ui-debug-msg', { hasText: 'Errors' });
    for (const [count, button] of ['Get an error', 'Lose an answer'].entries()) {
      await editor.press(editor.node(await id(button)).locator('.red-ui-flow-node-button'));
      await failed.nth(count).waitFor();
    }
  });
});
