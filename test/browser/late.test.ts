import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { relay } from './alert-flow';
import { BellsDialog, flow } from './bells-flow';
import type { Editor } from './editor';
import { editorSession } from './session';

const alert = {
  ...{ id: 'alert', type: 'algo-alert', z: 'tab', name: '', x: 400, y: 100, wires: [[], []], priority: 5 },
  ...{
    target: 'device',
    device: 'bells',
    endAfter: '',
    afterRestart: 'keep',
    retryAlert: 'true',
    drill: false,
    actions: [relay],
  },
};
const tone = {
  ...{
    id: 'tone',
    type: 'algo-tone',
    z: 'tab',
    x: 400,
    y: 160,
    wires: [[]],
    target: 'device',
    device: 'bells',
  },
  ...{ operation: 'start', parametersType: 'form' },
  form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'false' } },
};
const flash = {
  ...{
    id: 'flash',
    type: 'algo-strobe',
    z: 'tab',
    x: 400,
    y: 220,
    wires: [[]],
    target: 'device',
    device: 'bells',
  },
  ...{ operation: 'start', parametersType: 'form' },
  form: { pattern: { type: 'str', value: 'slow' }, color1: { type: 'str', value: 'red' } },
};

describe('what a person does before something has come', () => {
  let editor: Editor;
  let dialog: BellsDialog;
  editorSession([...flow, alert, tone, flash], (opened) => {
    editor = opened;
    dialog = new BellsDialog(opened);
  });

  afterEach(async function () {
    await editor.page.unrouteAll();
    if (this.currentTest?.state === 'failed') await editor.reload();
  });

  /** Lets requests wait until what it gives is called. */
  const hold = async (address: RegExp): Promise<() => void> => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await editor.page.route(address, async (route) => {
      await released;
      await route.continue();
    });
    return release;
  };
  const button = (name: string) => dialog.form().getByRole('button', { name, exact: true });

  it('makes one list of the actions of an alert, however often somebody turns to the text', async () => {
    const release = await hold(/algo-alert\.js/);
    await editor.edit('alert');
    const text = dialog.form().locator('#algo-alert-actions-text');
    await button(wording('alert:action.asText')).click();
    assert.deepEqual(JSON.parse(await text.inputValue()), [relay]);
    await button(wording('alert:action.asList')).click();
    await text.waitFor({ state: 'hidden' });
    release();
    await dialog.form().locator('.algo-action').first().waitFor();
    assert.equal(await dialog.form().locator('.algo-action').count(), 1);
    await editor.done();
    assert.deepEqual((await editor.stored('alert')).actions, [relay]);
  });

  it('shows the tones of the row that was pressed last, and of the word that is searched for', async () => {
    // In a page that has the script already, the third press closes the picker again.
    await editor.page.unrouteAll();
    await editor.reload();
    const offers = dialog.form().locator('.algo-bells .algo-offers');
    const opening = (row: number) => button(wording('scheduler:rows.audioPick', { row }));
    const [bring, answer] = [await hold(/algo-device\.js/), await hold(/algo\/offer/)];
    await dialog.open('sync');
    await opening(1).click();
    await opening(2).click();
    await opening(2).click();
    bring();
    await offers.getByRole('searchbox').fill('gong');
    const expanded = [1, 2].map((row) => opening(row).getAttribute('aria-expanded'));
    assert.deepEqual(await Promise.all(expanded), ['false', 'true']);
    assert.doesNotMatch(String(await offers.textContent()), wordingIn('device:pick.nothing'));
    answer();
    await offers.getByRole('button', { name: 'gong.wav' }).waitFor();
    assert.equal(await offers.locator('li').count(), 1);

    await editor.page.unrouteAll();
    const answerAgain = await hold(/algo\/offer/);
    await offers.getByRole('button', { name: wording('device:pick.refresh') }).click();
    await offers.getByRole('button', { name: 'gong.wav' }).focus();
    answerAgain();
    await offers.locator('.algo-hint:empty').waitFor({ state: 'attached' });
    await editor.page.keyboard.press('Enter');
    assert.equal(await dialog.cell('Audio', 2).inputValue(), 'gong.wav');
    await dialog.cancel();
  });

  it('keeps what is written in the events while a call is made for them, and makes it once', async () => {
    const release = await hold(/algo\/bells\/.*\/look/);
    await dialog.open('change');
    const calls = dialog.form().locator('.algo-calls');
    await editor.add('Events');
    const events = editor.row('Events').locator('.red-ui-typedInput-input');
    await events.fill('[]');
    await calls.locator('summary').click();
    await dialog.form().getByLabel(wording('scheduler:calls.device')).selectOption({ label: 'Hall' });
    await calls.getByLabel('Operation').selectOption('strobe/stop');
    await button(wording('scheduler:calls.add')).click();
    await button(wording('scheduler:calls.add')).click();
    await events.fill('[{"name":"Mine","event_type":"tone"}]');
    release();
    await calls.getByText(/^Added: /).waitFor();
    const written: { name: string; api_call?: unknown[] }[] = JSON.parse(await events.inputValue());
    assert.deepEqual(
      written.map(({ name, api_call }) => [name, api_call?.length]),
      [
        ['Mine', undefined],
        [written[1]?.name, 1],
      ],
    );
    await dialog.cancel();
  });

  it('opens what a field offers once, however often somebody presses before it has come', async () => {
    const bring = await hold(/algo-device\.js/);
    await editor.reload();
    await editor.edit('tone');
    const opening = editor.row('Tone').locator('.algo-pick');
    await opening.click();
    await opening.click();
    bring();
    await editor.row('Tone').getByRole('button', { name: 'gong.wav' }).waitFor();
    assert.equal(await opening.getAttribute('aria-expanded'), 'true');
    await opening.click();
    assert.equal(await editor.row('Tone').locator('.algo-offers').count(), 0);
    await editor.done('#node-dialog-cancel');
  });

  it('tells what was sent before it asks another time', async () => {
    const answer = await hold(/algo\/devices\/.*\/try/);
    await editor.edit('tone');
    await button(wording('shared:form.try')).press('Enter');
    await button(wording('device:try.send')).press('Enter');
    await button(wording('shared:form.try')).press('Enter');
    assert.equal(await button(wording('device:try.send')).count(), 0);
    answer();
    await dialog.form().locator('#algo-tried li').first().waitFor();
    await button(wording('shared:form.try')).press('Enter');
    await button(wording('device:try.send')).waitFor();
    await editor.done('#node-dialog-cancel');
  });

  /** Opens the dialog of the device that a dialog is for, above it. */
  const openDevice = async () => {
    await dialog.form().locator('.form-row:has(#node-input-device) a:has(.fa-pencil)').click();
    await editor.page.locator('#node-config-dialog-cancel:visible').waitFor();
    // By then it is out of the page.
    await editor.page.locator('#node-input-name').waitFor({ state: 'detached' });
  };

  it('shows the actions of an alert also where the dialog of its device was opened before', async () => {
    await editor.reload();
    const release = await hold(/algo-alert\.js/);
    await editor.edit('alert');
    await openDevice();
    const come = editor.page.waitForFunction('window.algoAlert');
    release();
    await come;
    await editor.done('#node-config-dialog-cancel');
    await dialog.form().locator('.algo-action').first().waitFor();
    await editor.done();
    assert.deepEqual((await editor.stored('alert')).actions, [relay]);
  });

  it('says what a model lacks also where the dialog of its device was opened before', async () => {
    await editor.reload();
    const release = await hold(/algo-support\.js/);
    await editor.edit('flash');
    await openDevice();
    const come = editor.page.waitForFunction('window.algoSupport');
    release();
    await come;
    await editor.done('#node-config-dialog-cancel');
    await dialog
      .form()
      .getByText(wordingIn('shared:form.unsupported.model', { what: '8301' }))
      .waitFor();
    await editor.done('#node-dialog-cancel');
  });

  it('finds nothing to add a choice of one click to in a dialog that is closed by then', async () => {
    await editor.reload();
    const release = await hold(/algo-device\.js/);
    await editor.edit('flash');
    await editor.done('#node-dialog-cancel');
    const come = editor.page.waitForFunction('window.algoDevice');
    release();
    await come;
    // Throws nothing, which is looked for after each test.
    await editor.page.evaluate('new Promise(requestAnimationFrame)');
  });
});
