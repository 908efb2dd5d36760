import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { wording, wordingIn } from '../fixtures/wording';
import { bringAxe, complaintsOf } from './axe';
import type { Editor } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const device = { type: 'algo-device', auth: 'none', certificate: 'verify', timeout: 10 };
const door = { id: 'door', type: 'algo-door', z: 'tab', x: 100, y: 100, name: 'Main door', wires: [[]] };
const flow = [
  { id: 'tab', type: 'tab', label: 'Test', disabled: true },
  { ...device, id: 'hall', name: 'Algo 8301', address: '192.0.2.1' },
  {
    ...door,
    target: 'device',
    device: 'hall',
    operation: 'lock',
    form: { doorid: { type: 'str', value: 'local' } },
  },
];

describe('nodes of devices that were found', () => {
  let editor: Editor;
  let port: string;
  const devices: VirtualDevice[] = [];
  editorSession(flow, (opened) => {
    editor = opened;
  });

  before(async () => {
    for (const [model, host] of [
      ['8301', '127.0.0.3'],
      ['8063', '127.0.0.9'],
      ['8063', '127.0.0.10'],
    ] as const) {
      const one = new VirtualDevice({ model, host, password: 'hunter2', port: Number(port ?? 0) });
      devices.push(one);
      port = new URL(await one.start()).port;
    }
  });
  after(() => Promise.all(devices.map((one) => one.stop())));

  const panel = () => editor.page.locator('.algo-finder');
  const box = (property: string) => editor.page.locator(`#node-config-input-${property}`);
  const make = (count: number) =>
    panel().getByRole('button', { name: wording('device:find.make', { count }), exact: true });
  const known = (name: string) => wording('device:find.known', { name });
  const items = () => panel().locator('li .algo-choice').allTextContents();
  const cancel = () => editor.done('#node-config-dialog-cancel');
  async function search(): Promise<void> {
    await editor.page
      .getByRole('button', { name: wording('device:find.button'), exact: true })
      .press('Enter');
    const range = editor.page.getByLabel('Address range', { exact: true });
    await range.fill(`127.0.0.1-20:${port}`);
    await range.press('Enter');
    await panel().locator('[role=status]', { hasText: 'Devices found: 3' }).waitFor();
  }
  const dirty = () => editor.page.evaluate('RED.nodes.dirty()');
  const undo = () => editor.page.evaluate('RED.history.pop()');
  /** What would be deployed of devices, but those of the flow. */
  const made = () =>
    editor.page.evaluate(`RED.nodes.createCompleteNodeSet()
      .filter(({ type, id }) => type === 'algo-device' && id !== 'hall')
      .map(({ id, ...node }) => node)
      .sort((one, other) => one.address.localeCompare(other.address, undefined, { numeric: true }))`);

  it('are made of all that is ticked, by keyboard, with what the dialog says of being let in', async () => {
    const { page } = editor;
    await editor.edit('door');
    await page.locator('#node-input-btn-device-add').click();
    await editor.settled('#node-config-input-name');
    await box('auth').selectOption('basic');
    await box('password').fill('hunter2');
    await box('certificate').selectOption('pin');
    await box('fingerprint').fill('ab'.repeat(32));
    await search();
    assert.deepEqual(namelessIn(await snapshotOf(panel())), []);
    assert.deepEqual(await cutIn(page), []);
    await bringAxe(page);
    assert.deepEqual(await complaintsOf(page, '.algo-finder'), []);
    await panel().getByRole('checkbox', { name: '127.0.0.10' }).press('Space');
    await make(2).press('Enter');
    await panel()
      .getByText(wordingIn('device:find.made', { count: 2 }))
      .waitFor();
    assert.deepEqual(await items(), [
      `127.0.0.3:${port} · Algo 8301 · http · ${known(`Algo 8301 127.0.0.3:${port}`)}`,
      `127.0.0.9:${port} · Algo 8063 · http · ${known('Algo 8063')}`,
      `127.0.0.10:${port} · Algo 8063 · http`,
    ]);
    assert.deepEqual(await cutIn(page), []);
    assert.deepEqual(await complaintsOf(page, '.algo-finder'), []);
    assert.ok(await make(0).isDisabled());
    assert.equal(await page.evaluate('document.activeElement.id'), 'algo-find-range');
    await cancel();
    await page.locator('#node-input-device').selectOption({ label: 'Algo 8063' });
    await editor.done();
    const common = {
      ...{ type: 'algo-device', virtual: '', auth: 'basic', certificate: 'verify', tls: '', fingerprint: '' },
      ...{
        timeout: 10,
        tags: '',
        model: '',
        firmware: '',
        letDeviceDecide: false,
        queueLimit: '',
        dryRun: false,
      },
      ...{ credentials: { password: 'hunter2' } },
    };
    assert.deepEqual(await made(), [
      { ...common, name: `Algo 8301 127.0.0.3:${port}`, address: `http://127.0.0.3:${port}` },
      { ...common, name: 'Algo 8063', address: `http://127.0.0.9:${port}` },
    ]);
    assert.deepEqual((await editor.stored('door')).problems, []);
    await undo();
    assert.equal((await editor.stored('door')).device, 'hall');
    assert.equal(await dirty(), true);
    await undo();
    assert.deepEqual(await made(), []);
    assert.equal(await dirty(), false);
  });

  it('are made beside the one that the dialog is filled with, which is there already as well', async () => {
    const { page } = editor;
    await editor.editConfig('algo-device', 'hall');
    await search();
    await panel()
      .getByRole('button', {
        name: wording('device:test.fill', { said: `http://127.0.0.3:${port}` }),
        exact: true,
      })
      .press('Enter');
    await search();
    assert.equal(await panel().getByRole('checkbox').count(), 2);
    await page.evaluate(`document.querySelector('.algo-finder').style.width = '180px'`);
    const right = await panel().evaluate((one) => one.getBoundingClientRect().right);
    assert.ok((await make(2).evaluate((one) => one.getBoundingClientRect().right)) <= right);
    await page.evaluate(`document.querySelector('.algo-finder').style.width = ''`);
    assert.equal((await items())[0], `127.0.0.3:${port} · Algo 8301 · http · ${known('Algo 8301')}`);
    await make(2).press('Enter');
    await panel()
      .getByText(wordingIn('device:find.made', { count: 2 }))
      .waitFor();
    await editor.done('#node-config-dialog-ok');
    assert.deepEqual(
      ((await made()) as { name: string; auth: string; credentials?: object }[]).map(
        ({ name, auth, credentials }) => [name, auth, credentials],
      ),
      [
        [`Algo 8063 127.0.0.9:${port}`, 'none', undefined],
        [`Algo 8063 127.0.0.10:${port}`, 'none', undefined],
      ],
    );
    await undo();
    await undo();
    assert.deepEqual(await made(), []);
    assert.equal((await editor.stored('hall')).address, '192.0.2.1');
  });
});
