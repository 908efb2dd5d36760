import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { HoldingServer } from '../fixtures/holding-server';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts } from './contrast';
import { type Editor, textOf } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const device = { type: 'algo-device', auth: 'none', certificate: 'verify', timeout: 10 };
const flow = [
  { id: 'tab', type: 'tab', label: 'Test', disabled: true },
  { ...device, id: 'hall', name: 'Hall', address: '192.0.2.1' },
  { id: 'group', type: 'algo-group', name: 'School', devices: ['hall'], rows: [], tags: '', auth: 'none' },
];

describe('"Find devices" in the dialogs', () => {
  let editor: Editor;
  let port: string;
  let holder: HoldingServer | undefined;
  const devices: VirtualDevice[] = [];
  editorSession(flow, (opened) => {
    editor = opened;
  });

  before(async () => {
    // Scripts that an earlier file has loaded are not loaded again.
    await editor.reload();
    for (const [model, host, tls] of [
      ['8301', '127.0.0.3', false],
      ['8063', '127.0.0.9', false],
      ['8190', '127.0.0.25', true],
    ] as const) {
      const one = new VirtualDevice({ model, host, tls, password: 'hunter2', port: Number(port ?? 0) });
      devices.push(one);
      port = new URL(await one.start()).port;
    }
  });
  after(() => Promise.all(devices.map((one) => one.stop())));
  afterEach(async () => {
    await holder?.stop();
    holder = undefined;
    await editor.page.evaluate(
      "document.querySelector('#node-config-dialog-cancel')?.click(); document.documentElement.classList.remove('nr-theme-dark')",
    );
    await editor.page.locator('.red-ui-tray').waitFor({ state: 'detached' });
  });

  const button = () => editor.page.getByRole('button', { name: wording('device:find.button'), exact: true });
  const panel = () => editor.page.locator('.algo-finder');
  const range = () => editor.page.getByLabel('Address range', { exact: true });
  const waitForStatus = (words: RegExp) => panel().locator('[role=status]', { hasText: words }).waitFor();
  const search = async (text: string) => {
    await range().fill(text);
    await range().press('Enter');
  };
  const items = () => panel().locator('li .algo-choice').allTextContents();
  const isOpen = () => editor.page.evaluate('RED.editor.getEditStack().length === 1');

  it('fills the address of a device with what it found, by keyboard, and loads what it needs first then', async () => {
    await editor.editConfig('algo-device', 'hall');
    const loaded = () => editor.page.evaluate('Boolean(window.algoDevice)');
    assert.equal(await loaded(), false);
    await button().press('Enter');
    await range().waitFor();
    assert.equal(await loaded(), true);
    assert.equal(await button().getAttribute('aria-expanded'), 'true');
    await search(`127.0.0.1-20:${port}`);
    await waitForStatus(wordingIn('device:find.end', { found: 2, asked: 20 }));
    const places = ['127.0.0.3', '127.0.0.9'].map((host) => `${host}:${port}`);
    assert.deepEqual(await items(), [`${places[0]} · Algo 8301 · http`, `${places[1]} · Algo 8063 · http`]);
    assert.deepEqual(namelessIn(await snapshotOf(panel())), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await panel()
      .getByRole('button', {
        name: wording('device:test.fill', { said: `http://${places[1]}` }),
        exact: true,
      })
      .press('Enter');
    const address = editor.page.locator('#node-config-input-address');
    assert.equal(await address.inputValue(), `http://${places[1]}`);
    assert.equal(await address.evaluate((box) => box === document.activeElement), true);
    assert.equal(await panel().count(), 0);
    await editor.done('#node-config-dialog-ok');
    assert.equal((await editor.stored('hall')).address, `http://${places[1]}`);
  });

  it('makes rows of a group of what is ticked, and marks what is there already', async () => {
    await editor.editConfig('algo-group', 'group');
    await button().click();
    await search(`127.0.0.1-20:${port}`);
    await waitForStatus(/Devices found: 2/);
    assert.deepEqual(await items(), [
      `127.0.0.3:${port} · Algo 8301 · http`,
      `127.0.0.9:${port} · Algo 8063 · http · ${wording('device:find.known', { name: 'Hall' })}`,
    ]);
    assert.equal(await panel().getByRole('checkbox', { name: /8301/ }).isChecked(), true);
    assert.equal(await panel().getByRole('checkbox', { name: /8063/ }).isChecked(), false);
    assert.deepEqual(await cutIn(editor.page), []);
    await panel()
      .getByRole('button', { name: wording('device:find.add', { count: 1 }) })
      .press('Enter');
    await editor.done('#node-config-dialog-ok');
    assert.deepEqual((await editor.stored('group')).rows, [
      { name: '', address: `http://127.0.0.3:${port}`, tags: '', fingerprint: '' },
    ]);
  });

  it('brings what it found into sight, also at the lower edge of a dialog', async () => {
    await editor.page.setViewportSize({ width: 1500, height: 700 });
    await editor.editConfig('algo-group', 'group');
    await button().press('Enter');
    await search(`127.0.0.1-20:${port}`);
    await waitForStatus(/Devices found: 2/);
    const isInSight = `(() => {
      const { top, bottom } = document.querySelector('.red-ui-tray-body-wrapper, .red-ui-tray-body').getBoundingClientRect();
      const add = document.querySelector('.algo-finder > button').getBoundingClientRect();
      return add.height > 0 && add.top >= top && add.bottom <= bottom;
    })()`;
    await editor.page.waitForFunction(isInSight);
    await editor.page.setViewportSize({ width: 1500, height: 1000 });
  });

  it('shows what it found in the order of the addresses, over https or not', async () => {
    await editor.editConfig('algo-device', 'hall');
    await button().press('Enter');
    await search(`127.0.0.1-30:${port}`);
    await waitForStatus(wordingIn('device:find.end', { found: 3, asked: 30 }));
    const found = (await items()).map((text) => text.split(' · ').slice(0, 3).join(' '));
    assert.deepEqual(found, [
      `127.0.0.3:${port} Algo 8301 http`,
      `127.0.0.9:${port} Algo 8063 http`,
      `127.0.0.25:${port} Algo 8190 https`,
    ]);
  });

  it('says why a range is not searched', async () => {
    await editor.editConfig('algo-device', 'hall');
    await button().click();
    for (const [text, words] of [
      ['8.8.8.0/24', wordingIn('device:find.refused.public')],
      ['10.0.0.0/21', wordingIn('device:find.refused.large')],
      ['hall', wordingIn('device:find.refused.unreadable')],
    ] as const) {
      await search(text);
      await waitForStatus(words);
    }
    assert.equal(await isOpen(), true);
    editor.faults.splice(0, editor.faults.length, ...editor.faults.filter((line) => !/400/.test(line)));
  });

  it('is stopped by its button, and closed by Escape, which leaves the dialog open', async () => {
    holder = new HoldingServer();
    const server = holder;
    const held = await server.start();
    await editor.editConfig('algo-device', 'hall');
    await button().click();
    await search(`127.0.1.1-127.0.4.250:${held}`);
    await server.until(() => server.open === 50);
    await panel()
      .getByRole('progressbar', { name: wording('device:find.progress') })
      .waitFor();
    await panel().getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await waitForStatus(wordingIn('device:find.stoppedNone'));
    await server.until(() => server.open === 0);
    await range().press('Escape');
    assert.equal(await panel().count(), 0);
    assert.equal(await isOpen(), true);
    assert.equal(await button().evaluate((one) => one === document.activeElement), true);
  });

  it('ends with the dialog', async () => {
    holder = new HoldingServer();
    const server = holder;
    const held = await server.start();
    await editor.editConfig('algo-device', 'hall');
    await button().click();
    await search(`127.0.1.1-127.0.4.250:${held}`);
    await server.until(() => server.open === 50);
    await editor.page.locator('#node-config-dialog-cancel').click();
    await server.until(() => server.open === 0);
    assert.ok(server.total < 200);
  });

  for (const theme of ['light', 'dark']) {
    it(`can be read in the ${theme} theme`, async () => {
      await editor.page.evaluate(
        `document.documentElement.classList.toggle("nr-theme-dark", ${theme === 'dark'})`,
      );
      await editor.editConfig('algo-device', 'hall');
      await button().click();
      await search(`127.0.0.1-20:${port}`);
      await waitForStatus(/Devices found: 2/);
      const parts = ':is(label, .algo-hint, li, button:enabled, input)';
      const ratios = await contrasts(editor.page, `.algo-finder ${parts}`);
      assert.ok(ratios.length > 6);
      for (const ratio of ratios) assert.ok(ratio >= 4.5, ratio.toFixed(1));
      assert.match(await textOf(panel().locator('[role=status]')), /found: 2/);
    });
  }
});
