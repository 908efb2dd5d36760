import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const door = {
  type: 'algo-door',
  z: 'tab',
  x: 200,
  y: 100,
  target: 'device',
  device: 'gate',
  operation: 'munlock',
  parametersType: 'form',
  wires: [[]],
};
const flow = [
  { id: 'tab', type: 'tab', label: 'Try' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8063', firmware: '5.7', auth: 'standard', port: 0 },
  { id: 'gate', type: 'algo-device', name: 'Gate', virtual: 'virtual', auth: 'standard', timeout: 10 },
  {
    ...door,
    id: 'door',
    form: { doorid: { type: 'str', value: 'local' }, duration: { type: 'num', value: '5' } },
  },
  {
    ...door,
    id: 'elsewhere',
    y: 400,
    form: { doorid: { type: 'env', value: 'DOOR' }, duration: { type: 'num', value: '${DURATION}' } },
  },
  { ...door, id: 'bare', y: 200, form: {} },
  {
    ...door,
    id: 'broken',
    type: 'algo-scheduler',
    y: 500,
    operation: 'apply',
    form: Object.fromEntries(
      ['events', 'groups', 'exclude', 'remove_exclude', 'skip', 'remove_skip'].map((name) => [
        name,
        { type: 'json', value: '[\n]' },
      ]),
    ),
  },
  {
    ...door,
    id: 'setting',
    type: 'algo-settings',
    y: 600,
    operation: 'get',
    form: { name: { type: 'str', value: 'mcast.mode' } },
  },
  { ...door, id: 'written', y: 300, parametersType: 'json', parameters: '{"doorid":"local","duration":"9"}' },
];

describe('"Try it" in the dialog of a node', () => {
  let editor: Editor;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });
  const tried = () => editor.page.locator('#algo-tried');
  const press = (name: string) => editor.page.getByRole('button', { name, exact: true }).press('Enter');

  const refused = async (...sentences: readonly RegExp[]) => {
    await press(wording('shared:form.try'));
    await tried().locator('li').first().waitFor();
    for (const sentence of sentences) assert.match(await textOf(tried()), sentence);
    assert.equal(await tried().getByRole('button').count(), 0);
  };

  it('asks first, then sends what the dialog says and shows the receipt, by keyboard alone', async () => {
    assert.equal(
      await textOf(editor.node('door')),
      `${wording('door:operation.munlock.title')} local 5 s → Gate`,
    );
    await editor.edit('door');
    await editor.page.getByRole('textbox', { name: 'Duration (s)' }).fill('7');
    await editor.page
      .getByRole('button', { name: `Parameters: ${wording('shared:form.below')}`, exact: true })
      .waitFor();
    await press(wording('shared:form.try'));
    await tried()
      .getByText(
        wording('device:try.sure', { operation: wording('door:operation.munlock.title'), device: 'Gate' }),
      )
      .waitFor();
    assert.doesNotMatch(shared.nodeRed.log(), /door\/munlock/);
    await press(wording('device:try.cancel'));
    assert.equal(await textOf(tried()), '');
    await press(wording('shared:form.try'));
    const form = editor.page.locator('form:has(#node-input-name)');
    assert.deepEqual(namelessIn(await snapshotOf(form)), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await press(wording('device:try.send'));
    await tried()
      .getByText(/Gate: accepted after \d+ ms/)
      .waitFor();
    await shared.nodeRed.waitForOutput(/door\/munlock .*"duration":"7".*-> 200/);
    assert.equal(await editor.page.evaluate('document.activeElement.id'), 'algo-try');
    await editor.done('#node-dialog-cancel');
    assert.equal((await editor.stored('door')).changed, false);
  });

  it('says of a receipt that comes after a change that it is about what was sent before', async () => {
    const { page } = editor;
    let answer = () => {};
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/algo/devices/gate/try', async (route) => {
      await isHeld;
      await route.continue();
    });
    await editor.edit('door');
    await press(wording('shared:form.try'));
    await tried().getByText(wordingIn('device:try.sure')).waitFor();
    await press(wording('device:try.send'));
    await page.getByRole('textbox', { name: 'Duration (s)' }).fill('9');
    answer();
    await tried()
      .getByText(/accepted after/)
      .waitFor();
    assert.match(await textOf(tried()), wordingIn('device:try.meanwhile'));
    await page.unroute('**/algo/devices/gate/try');
    await editor.done('#node-dialog-cancel');
  });

  it('links the error of a receipt to its help', async () => {
    const { page } = editor;
    const error = { code: 'REFUSED', message: 'The device rejects it' };
    const receipt = { device: 'Gate', outcome: 'failed', latencyMs: 3, error, localized: {} };
    await page.route('**/algo/devices/gate/try', (route) => route.fulfill({ json: { receipts: [receipt] } }));
    await editor.edit('door');
    await press(wording('shared:form.try'));
    await tried().getByText(wordingIn('device:try.sure')).waitFor();
    await press(wording('device:try.send'));
    const link = tried().getByRole('link', { name: wording('device:test.errorHelp', error), exact: true });
    assert.match((await link.getAttribute('href')) ?? '', /\/docs\/errors\.md#refused$/);
    await page.unroute('**/algo/devices/gate/try');
    await editor.done('#node-dialog-cancel');
  });

  it('takes question and receipt away when something else would be sent, and nothing else does', async () => {
    const { page } = editor;
    const gone = () => tried().locator('li, button').first().waitFor({ state: 'detached' });
    await editor.edit('door');
    await press(wording('shared:form.try'));
    await tried().getByText(wordingIn('device:try.sure')).waitFor();
    await page.getByRole('textbox', { name: 'Duration (s)' }).fill('8');
    await gone();
    await press(wording('shared:form.try'));
    await press(wording('device:try.send'));
    await tried()
      .getByText(/accepted after/)
      .waitFor();
    await page.locator('#node-input-name').fill('Main gate');
    await page.locator('#node-input-name').press('Tab');
    assert.equal(
      await tried()
        .getByText(/accepted after/)
        .count(),
      1,
    );
    await page.locator('#node-input-operation').selectOption('lock');
    await gone();
    await editor.done('#node-dialog-cancel');
  });

  it('keeps the question that is asked before all rows are made, and texts as they are broken into lines', async () => {
    const { page } = editor;
    const { form } = await editor.stored('broken');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 20 });
    const [rows, made] = ['.form-row[data-field]', '.red-ui-typedInput-container'];
    await page.evaluate(`new Promise((resolve) => {
      const look = () => {
        const button = document.querySelector('#algo-try');
        if (!button) return setTimeout(look);
        button.click();
        resolve();
      };
      RED.editor.edit(RED.nodes.node('broken'));
      look();
    })`);
    await page.waitForFunction(`[...document.querySelectorAll('[data-operation="apply"] ${rows}')]
      .every((row) => row.hidden || row.querySelector('${made}'))`);
    await cdp.detach();
    await tried().getByText(wordingIn('device:try.sure')).waitFor();
    // What core does 50 ms after a dialog was opened.
    await page.evaluate("$('#node-input-device').trigger('change')");
    assert.match(await textOf(tried()), wordingIn('device:try.sure'));
    await editor.done();
    assert.deepEqual((await editor.stored('broken')).form, form);
  });

  it('makes the form of another operation once, which tells of changes while it is made', async () => {
    await editor.edit('setting');
    await press(wording('shared:form.try'));
    await tried().locator('li').first().waitFor();
    await editor.page.locator('#node-input-operation').selectOption('put');
    const names = editor.page.locator('.algo-others .algo-name');
    await names.first().waitFor();
    assert.equal(await names.count(), 1);
    await press(wording('settings:others.add'));
    assert.equal(await names.count(), 2);
    await editor.done('#node-dialog-cancel');
  });

  it('says what a message or the environment would have to bring, by labels and before it asks', async () => {
    await editor.edit('door');
    await editor.choose(editor.row('Duration').locator('.red-ui-typedInput-type-select'), 'msg.');
    await editor.page.getByRole('textbox', { name: 'Duration (s)' }).fill('payload');
    await refused(wordingIn('device:try.message', { names: 'Duration (s)' }));
    await editor.page.locator('#node-input-target').selectOption('group');
    await refused(wordingIn('device:try.noDevice'));
    await editor.done('#node-dialog-cancel');
    await editor.edit('elsewhere');
    await refused(wordingIn('device:try.message', { names: 'Door, Duration (s)' }));
    await editor.done('#node-dialog-cancel');
  });

  it('stops at red fields before it asks, and names them', async () => {
    await editor.edit('bare');
    await refused(wordingIn('device:try.wrong'), /Duration \(s\): Required/);
    await editor.page.locator('#node-input-operation').selectOption('');
    await refused(wordingIn('device:try.operation'));
    await editor.page.locator('#node-input-operation').selectOption('msg');
    await refused(wordingIn('device:try.noForm'));
    await editor.done('#node-dialog-cancel');
  });

  it('sends JSON that stands in the dialog', async () => {
    await editor.edit('written');
    await press(wording('shared:form.try'));
    await press(wording('device:try.send'));
    await tried()
      .getByText(/Gate: accepted after \d+ ms/)
      .waitFor();
    await shared.nodeRed.waitForOutput(/door\/munlock .*"duration":"9".*-> 200/);
    const json = editor.page.locator('.form-row:has(#node-input-parameters) .red-ui-typedInput-input');
    await json.fill('{"doorid":"local","volume":1}');
    await refused(
      wordingIn('device:try.wrong'),
      wordingIn('phrases:unknown', { place: 'volume' }),
      wordingIn('phrases:missing', { place: 'duration' }),
    );
    await json.fill('{"doorid":');
    await refused(wordingIn('device:try.wrong'), wordingIn('shared:form.invalid.json'));
    await editor.done('#node-dialog-cancel');
  });

  it('asks nothing where the device is disabled or not deployed', async () => {
    await editor.edit('door');
    const device = "RED.nodes.node('gate')";
    await editor.page.evaluate(`${device}.d = true`);
    await refused(wordingIn('device:try.disabled', { device: 'Gate' }));
    await editor.page.evaluate(`delete ${device}.d; ${device}.changed = true`);
    await refused(wordingIn('device:try.undeployed', { device: 'Gate' }));
    await editor.page.evaluate(`${device}.changed = false; RED.nodes.node('virtual').d = true`);
    await refused(/is disabled/);
    await editor.page.evaluate("delete RED.nodes.node('virtual').d");
    await editor.done('#node-dialog-cancel');
  });
});
