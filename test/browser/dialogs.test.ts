import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts } from './contrast';
import { Editor, textOf } from './editor';
import { editorSession } from './session';
import { flow, unchangedNodes } from './unchanged-nodes';

describe('the dialogs', () => {
  let editor: Editor;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });
  afterEach(() => editor.startOver());

  describe('that are opened and closed', () => {
    for (const { id } of unchangedNodes) {
      it(`leave "${id}" as it was`, async () => {
        const before = await editor.stored(id);
        await editor.edit(id);
        await editor.done();
        assert.deepEqual(await editor.stored(id), before);
        assert.equal(before.changed, false);
      });
    }

    it('leave a device whose properties are environment variables as it was', async () => {
      const before = await editor.stored('device');
      await editor.editConfig('algo-device', 'device');
      await editor.done('#node-config-dialog-ok');
      assert.deepEqual(await editor.stored('device'), before);
      assert.deepEqual(before.problems, []);
    });

    it('leave a virtual device as it was', async () => {
      const before = await editor.stored('virtual');
      await editor.editConfig('algo-virtual-device', 'virtual');
      await editor.done('#node-config-dialog-ok');
      assert.deepEqual(await editor.stored('virtual'), before);
    });
  });

  describe('that are used', () => {
    it('shows the rows of the chosen operation and no others', async () => {
      await editor.edit('door');
      await editor.showsRows(['Door']);
      await editor.page.locator('#node-input-operation').selectOption('munlock');
      await editor.showsRows(['Door', 'Duration (s)']);
      await editor.page.locator('#node-input-operation').selectOption('');
      await editor.showsRows([]);
    });

    it('takes what was entered along to an operation that has the field too', async () => {
      await editor.edit('door');
      await editor.page.locator('#node-input-operation').selectOption('munlock');
      await editor.page.getByRole('textbox', { name: 'Duration (s)' }).fill('7');
      await editor.done();
      assert.deepEqual((await editor.stored('door')).form, {
        doorid: { type: 'str', value: 'local' },
        duration: { type: 'num', value: '7' },
      });
      await editor.page.evaluate('RED.history.pop()');
      const { form, operation, changed } = await editor.stored('door');
      assert.deepEqual(form, { doorid: { type: 'str', value: 'local' } });
      assert.deepEqual([operation, changed], ['unlock', false]);
    });

    it('shows what no field of the operation stores, and lets a person remove it', async () => {
      await editor.edit('oddities');
      const row = editor.row('other');
      assert.match(await textOf(row.locator('.algo-error')), wordingIn('shared:form.invalid.unknown'));
      await editor.takeAway('other');
      await row.waitFor({ state: 'hidden' });
      await editor.done();
      const form = (await editor.stored('oddities')).form;
      assert.deepEqual(Object.keys(Object(form)), ['doorid', 'duration']);
    });

    it('offers no form where the message chooses the operation, and gives it back', async () => {
      await editor.edit('door');
      const { page } = editor;
      await page.locator('#node-input-operation').selectOption('msg');
      assert.equal(await page.locator('#node-input-parametersType').inputValue(), 'msg');
      assert.equal(await page.locator('#node-input-parameters').inputValue(), 'payload');
      assert.equal(await page.locator('.algo-field:visible').count(), 0);
      await page.locator('#node-input-operation').selectOption('unlock');
      assert.equal(await page.locator('#node-input-parametersType').inputValue(), 'form');
      await editor.done();
      assert.equal((await editor.stored('door')).changed, false);
    });

    it('says which fields are wrong before a dialog was ever opened', async () => {
      assert.deepEqual((await editor.stored('oddities')).problems, [
        `Door: Must be ${wording('door:field.doorid.limits')}`,
        `Duration (s): ${wording('shared:form.invalid.type')}`,
        `other: ${wording('shared:form.invalid.unknown')}`,
      ]);
      assert.deepEqual((await editor.stored('new-operation')).problems, [
        wording('shared:form.invalid.unknownOperation', { operation: 'slam' }),
      ]);
      assert.deepEqual((await editor.stored('every-type')).problems, []);
      assert.deepEqual((await editor.stored('environment')).problems, []);
    });

    it('makes a device and a virtual device on the way, each with its own name', async () => {
      const { page } = editor;
      await editor.edit('door');
      await page.locator('#node-input-btn-device-add').click();
      await editor.settled('#node-config-input-address');
      await page.locator('#node-config-input-name').fill('Gate');
      await page.locator('#node-config-input-btn-virtual-add').click();
      await editor.settled('#node-config-input-port');
      await page.locator('#node-config-input-name').last().fill('Practice gate');
      await editor.done('#node-config-dialog-ok >> visible=true >> nth=-1');
      await page.locator('#node-config-input-address').waitFor({ state: 'hidden' });
      await editor.done('#node-config-dialog-ok');
      await editor.done();
      const names = await page.evaluate(`(() => {
      const device = RED.nodes.node(RED.nodes.node("door").device);
      return [device.name, RED.nodes.node(device.virtual).name];
    })()`);
      assert.deepEqual(names, ['Gate', 'Practice gate']);
    });

    it('shows a device only the rows that count', async () => {
      const { page } = editor;
      await editor.editConfig('algo-device', 'device');
      const fingerprint = page.locator('#node-config-input-fingerprint');
      await fingerprint.waitFor();
      await page.locator('#node-config-input-certificate').selectOption('verify');
      await fingerprint.waitFor({ state: 'hidden' });
      assert.match(
        await textOf(page.locator('.algo-password-error')),
        wordingIn('device:invalid.noPassword'),
      );
      await page.locator('#node-config-input-auth').selectOption('none');
      await page.locator('#node-config-input-password').waitFor({ state: 'hidden' });
      await page.locator('#node-config-input-virtual').selectOption('virtual');
      await page.locator('#node-config-input-address').waitFor({ state: 'hidden' });
    });

    for (const theme of ['light', 'dark']) {
      it(`can be read in the ${theme} theme`, async () => {
        const { page } = editor;
        await page.evaluate(
          `document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`,
        );
        await editor.edit('oddities');
        for (const part of [
          'label',
          '.algo-hint',
          '.algo-error',
          '.red-ui-typedInput-type-select',
          'select',
        ]) {
          const ratios = await contrasts(page, `.algo-form ${part}`);
          assert.ok(ratios.length > 0, part);
          for (const ratio of ratios) assert.ok(ratio >= 4.5, `${part}: ${ratio.toFixed(1)}`);
        }
      });
    }

    it('keeps what is stored when the plugin with the forms is disabled', async function () {
      const other = await Editor.open(shared.still, shared.nodeRed.url, withoutPlugins);
      const before = await other.stored('every-type');
      await other.edit('every-type');
      assert.match(await textOf(other.page.locator('.algo-without-plugin')), /algo-forms/);
      assert.equal(await other.page.locator('.algo-field:visible').count(), 0);
      await other.done();
      assert.deepEqual(await other.stored('every-type'), before);
      await other.check(this.test);
      await other.page.close();
    });
  });
});

async function withoutPlugins(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname === '/plugins',
    async (route) => {
      const isHtml = (await route.request().headerValue('accept'))?.includes('text/html');
      await (isHtml ? route.fulfill({ contentType: 'text/html', body: '' }) : route.continue());
    },
  );
}
