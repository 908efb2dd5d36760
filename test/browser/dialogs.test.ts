import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { Editor, startBrowser, textOf } from './editor';
import { type FlowNode, type NodeRed, startNodeRed } from './node-red';

const common = { z: 'tab', wires: [[]], name: '', target: 'device', device: 'device', group: '' };
const byForm = { ...common, parametersType: 'form', parameters: 'payload' };

/** Nodes that must leave a visit to their dialog exactly as they were. */
const keepers: readonly FlowNode[] = [
  {
    ...byForm,
    id: 'every-type',
    type: 'algo-tone',
    operation: 'start',
    form: {
      'state.port': { value: 'ports[0]', type: 'msg' },
      path: { type: 'str', value: 'chime.wav' },
      loop: { type: 'bool', value: 'false' },
      duration: { type: 'num', value: '30' },
      interval: { type: 'jsonata', value: '$max([pause, 1])' },
      mcast: { type: 'flow', value: 'multicast' },
      playback: { type: 'global', value: 'local' },
      'state.mode': { type: 'str', value: 'sender' },
      'state.address': { type: 'env', value: 'ZONE' },
      'state.type': { type: 'str', value: 'poly' },
      'state.group': { type: 'str', value: '7' },
    },
  },
  {
    ...byForm,
    id: 'oddities',
    type: 'algo-door',
    operation: 'munlock',
    form: {
      doorid: { type: 'str', value: 'back gate' },
      duration: { type: 'date', value: 'iso' },
      other: { type: 'json', value: '{"a":1}' },
    },
  },
  {
    ...byForm,
    id: 'environment',
    type: 'algo-tone',
    operation: 'start',
    form: { path: { type: 'str', value: '${TONE}' }, loop: { type: 'bool', value: '${LOOP}' } },
  },
  {
    ...byForm,
    id: 'bare-values',
    type: 'algo-door',
    operation: 'munlock',
    form: { doorid: { type: 'str', value: 'local' }, duration: { type: 'num', value: 5 } },
  },
  {
    ...byForm,
    id: 'new-operation',
    type: 'algo-door',
    operation: 'slam',
    form: { force: { type: 'num', value: '9' } },
  },
  { ...byForm, id: 'group', type: 'algo-door', target: 'group', group: 'g1', operation: 'lock', form: {} },
  {
    ...common,
    id: 'by-message',
    type: 'algo-door',
    operation: 'msg',
    parametersType: 'msg',
    parameters: 'door',
    form: {},
  },
  {
    ...common,
    id: 'other-source',
    type: 'algo-door',
    operation: 'lock',
    parametersType: 'cloud',
    parameters: 'x',
    form: {},
  },
].map((node, index) => ({ ...node, x: 240, y: 80 + 60 * index }));

const flow: readonly FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Dialogs' },
  {
    id: 'virtual',
    type: 'algo-virtual-device',
    name: 'Virtual 8301',
    model: '8301',
    firmware: '5.7',
    auth: 'none',
    port: 0,
  },
  {
    id: 'device',
    type: 'algo-device',
    name: 'Hall',
    address: '${HALL}',
    auth: '${AUTH}',
    certificate: 'pin',
    fingerprint: '${PRINT}',
    tls: '',
    timeout: '${LIMIT}',
    tags: '',
    model: '',
    firmware: '',
    letDeviceDecide: '${ANYTHING}',
    virtual: '',
  },
  {
    ...byForm,
    id: 'door',
    type: 'algo-door',
    x: 600,
    y: 80,
    operation: 'unlock',
    form: { doorid: { type: 'str', value: 'local' } },
  },
  ...keepers,
];

describe('the dialogs', function () {
  this.timeout(60_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let editor: Editor;

  before(async () => {
    nodeRed = await startNodeRed(flow);
    browser = await startBrowser();
  });

  beforeEach(async () => {
    editor = await Editor.open(browser, nodeRed.url);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.page.screenshot({ path: 'dist/failed.png' });
    assert.deepEqual(editor.faults, []);
    await editor.page.close();
  });

  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  for (const { id } of keepers) {
    it(`leaves "${id}" as it was when it is opened and closed`, async () => {
      const before = await editor.stored(id);
      await editor.edit(id);
      await editor.done();
      assert.deepEqual(await editor.stored(id), before);
      assert.equal(before.changed, false);
    });
  }

  it('leaves a device whose properties are environment variables as it was', async () => {
    const before = await editor.stored('device');
    await editor.editConfig('algo-device', 'device');
    await editor.done('#node-config-dialog-ok');
    assert.deepEqual(await editor.stored('device'), before);
    assert.deepEqual(before.problems, []);
  });

  it('shows the rows of the chosen operation and no others', async () => {
    const labels = () => editor.page.locator('.algo-field:visible > label').allTextContents();
    await editor.edit('door');
    assert.deepEqual(await labels(), ['Door']);
    await editor.page.locator('#node-input-operation').selectOption('munlock');
    assert.deepEqual(await labels(), ['Door', 'Duration (s)']);
    await editor.page.locator('#node-input-operation').selectOption('');
    assert.deepEqual(await labels(), []);
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
  });

  it('shows what no field of the operation stores, and lets a person remove it', async () => {
    await editor.edit('oddities');
    const row = editor.row('other');
    assert.match(await textOf(row.locator('.algo-error')), /no such field/);
    await editor.choose(row.locator('.red-ui-typedInput-type-select'), 'not sent');
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
      'Door: Must be one of netdc1, local',
      'Duration (s): Unknown type of value',
      'other: The operation has no such field: choose "not sent" to remove it',
    ]);
    assert.deepEqual((await editor.stored('new-operation')).problems, [
      'This node does not know the operation slam',
    ]);
    assert.deepEqual((await editor.stored('every-type')).problems, []);
    assert.deepEqual((await editor.stored('environment')).problems, []);
  });

  it('makes a device and a virtual device on the way, each with its own name', async () => {
    const { page } = editor;
    await editor.edit('door');
    await page.locator('#node-input-btn-device-add').click();
    await page.locator('#node-config-input-name').fill('Gate');
    await page.locator('#node-config-input-btn-virtual-add').click();
    await page.locator('#node-config-input-port').waitFor();
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

  it('leaves a virtual device as it was', async () => {
    const before = await editor.stored('virtual');
    await editor.editConfig('algo-virtual-device', 'virtual');
    await editor.done('#node-config-dialog-ok');
    assert.deepEqual(await editor.stored('virtual'), before);
  });

  it('shows a device only the rows that count', async () => {
    const { page } = editor;
    await editor.editConfig('algo-device', 'device');
    const fingerprint = page.locator('#node-config-input-fingerprint');
    await fingerprint.waitFor();
    await page.locator('#node-config-input-certificate').selectOption('verify');
    await fingerprint.waitFor({ state: 'hidden' });
    assert.match(await textOf(page.locator('.algo-password-error')), /nothing is sent/);
    await page.locator('#node-config-input-auth').selectOption('none');
    await page.locator('#node-config-input-password').waitFor({ state: 'hidden' });
    await page.locator('#node-config-input-virtual').selectOption('virtual');
    await page.locator('#node-config-input-address').waitFor({ state: 'hidden' });
  });

  it('keeps what is stored when the plugin with the forms is disabled', async () => {
    await editor.page.close();
    editor = await Editor.open(browser, nodeRed.url, withoutPlugins);
    const before = await editor.stored('every-type');
    await editor.edit('every-type');
    assert.match(await textOf(editor.page.locator('.algo-without-plugin')), /algo-forms/);
    assert.equal(await editor.page.locator('.algo-field:visible').count(), 0);
    await editor.done();
    assert.deepEqual(await editor.stored('every-type'), before);
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
