import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { makeCertificate } from '../fixtures/certificates';
import { ClientFixture } from '../fixtures/client-fixture';
import { wording, wordingIn } from '../fixtures/wording';
import type { Editor } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { flow } from './group-flow';
import { editorSession } from './session';

const row = (name: string, address: string) => ({ name, address, tags: '', fingerprint: '' });
const nobody = '127.0.0.1:9';

describe('"Test" in the dialog of a group', () => {
  const bench = new ClientFixture();
  let editor: Editor;
  let horn: VirtualDevice;
  let rows: ReturnType<typeof row>[];
  let fingerprint: string;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  before(async () => {
    // Scripts that an earlier file has loaded are not loaded again.
    await editor.reload();
    horn = new VirtualDevice({ model: '8186', password: 'hunter2' });
    const own = await makeCertificate();
    fingerprint = own.fingerprint;
    const about = { 'Product Name': 'Algo 8301', 'Firmware Version': '5.6' };
    const gate = await bench.https(own, (_seen, response) => void response.end(JSON.stringify(about)));
    rows = [row('Horn', await horn.start()), row('Gate', gate), row('Away', `http://${nobody}`)];
    await editor.page.evaluate(`(() => {
      Object.assign(RED.nodes.node('group'), { devices: [], tags: '', rows: ${JSON.stringify(rows)} });
    })()`);
  });
  after(async () => {
    await horn?.stop();
    await bench.clear();
  });

  const form = () => editor.page.locator('form:has(#node-config-input-maxParallel)');
  const found = () => form().locator('#algo-group-tested');
  const test = async (working: number) => {
    await form()
      .getByRole('button', { name: wording('group:test.button') })
      .press('Enter');
    await found()
      .getByText(wording('device:test.rows.works', { count: working, all: 3 }))
      .waitFor();
  };
  const cells = (column: string) =>
    form()
      .locator(`.algo-table input[data-column="${column}"]`)
      .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value));

  it('enters the models, and the certificates that are trusted; it names each row that does not answer', async () => {
    await editor.editConfig('algo-group', 'group');
    await form().locator('#node-config-input-password').fill('hunter2');
    await test(1);
    assert.deepEqual(await cells('model'), ['8186', '', '']);
    const items = await found().locator('.algo-detail').allInnerTexts();
    assert.equal(items.length, 2);
    assert.match(items[0] ?? '', new RegExp(`^Gate: .*${fingerprint}`));
    assert.match(items[1] ?? '', /^Away: .*9/);
    assert.deepEqual(namelessIn(await snapshotOf(form())), []);
    assert.deepEqual(await cutIn(editor.page), []);

    await found()
      .getByRole('button', { name: wording('device:test.rows.trust', { count: 1 }) })
      .click();
    assert.deepEqual(await cells('fingerprint'), ['', fingerprint, '']);
    assert.equal(await form().locator('#node-config-input-certificate').inputValue(), 'pin');
    // Nothing is sent to the Horn over plain HTTP, where certificates are pinned.
    await test(1);
    assert.deepEqual(await cells('model'), ['8186', '8301', '']);
    await editor.done('#node-config-dialog-cancel');
  });

  it('tests no further row once the dialog is closed', async () => {
    const held: (() => void)[] = [];
    const far = await bench.http((_seen, response) => void held.push(() => response.end('{}')));
    const many = Array.from({ length: 20 }, (_, index) => row(`Row ${index}`, `${far}/${index}`));
    const setRows = (list: unknown) =>
      editor.page.evaluate(`void (RED.nodes.node('group').rows = ${JSON.stringify(list)})`);
    await setRows(many);
    await editor.editConfig('algo-group', 'group');
    await form().locator('#node-config-input-password').fill('hunter2');
    await form()
      .getByRole('button', { name: wording('group:test.button') })
      .press('Enter');
    await found().getByText(/: 0 /).waitFor();
    const asked = new Set<string>();
    editor.page.on('request', (request) => {
      if (request.url().endsWith('algo/test')) asked.add(String(request.postData()));
    });
    await editor.done('#node-config-dialog-cancel');
    while (held.length < 8) await editor.page.waitForTimeout(20);
    const answered = Promise.all(Array.from({ length: 8 }, () => editor.page.waitForResponse(/algo\/test$/)));
    const timer = setInterval(() => {
      for (const release of held.splice(0)) release();
    }, 20);
    await answered;
    await editor.page.waitForTimeout(200);
    clearInterval(timer);
    assert.deepEqual(
      [...asked].filter((body) => /Row (?:8|9|1\d)/.test(body)),
      [],
    );
    await setRows(rows);
  });

  it('says before a deploy that the rows have no password', async () => {
    await editor.editConfig('algo-group', 'group');
    await form().locator('#node-config-input-password').fill('');
    await editor.done('#node-config-dialog-ok');
    const problem = wordingIn('device:invalid.noPassword');
    assert.match(String((await editor.stored('group')).problems), problem);
    await editor.editConfig('algo-group', 'group');
    await form().locator('#node-config-input-password').fill('hunter2');
    await editor.done('#node-config-dialog-ok');
    assert.doesNotMatch(String((await editor.stored('group')).problems), problem);
  });
});
