import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { errorHelpOf } from './error-help';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const device = { type: 'algo-device', auth: 'standard', certificate: 'verify', timeout: 10 };
const node = { z: 'tab', x: 200, target: 'device', device: 'bells', parametersType: 'form', wires: [[]] };
const flow = [
  { id: 'tab', type: 'tab', label: 'Picks' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8301', firmware: '5.7', auth: 'standard', port: 0 },
  { ...device, id: 'bells', name: 'Bells', virtual: 'virtual' },
  { ...device, id: 'away', name: 'Away', address: '127.0.0.1:1', auth: 'none' },
  {
    ...node,
    id: 'tone',
    type: 'algo-tone',
    y: 100,
    operation: 'start',
    form: { path: { type: 'str', value: '${TONE}' }, loop: { type: 'bool', value: 'false' } },
  },
  {
    ...node,
    id: 'text',
    type: 'algo-screen',
    y: 160,
    operation: 'text-start',
    form: { textContent: { type: 'str', value: 'Hello' } },
  },
  { id: 'hall', type: 'algo-group', name: 'Hall', devices: ['away', 'bells'] },
  { ...node, id: 'setting', type: 'algo-settings', y: 280, operation: 'get', form: {} },
  { ...node, id: 'folder', type: 'algo-files', y: 340, operation: 'list', form: {} },
  { ...node, id: 'alarm', type: 'algo-emergency', y: 400, operation: 'start', form: {} },
  { ...node, id: 'press', type: 'algo-console', y: 460, operation: 'activate', form: {} },
  {
    ...node,
    id: 'other',
    type: 'algo-console',
    y: 520,
    operation: 'activate',
    form: { id: { type: 'str', value: 'lockdown' } },
  },
  {
    id: 'lobby screen',
    type: 'algo-virtual-device',
    model: '8410',
    firmware: '5.7',
    auth: 'standard',
    port: 0,
  },
  { ...device, id: 'lobby', name: 'Lobby', virtual: 'lobby screen' },
  {
    ...{ ...node, id: 'picture', type: 'algo-screen', device: 'lobby', y: 580, operation: 'start' },
    form: { type: { type: 'str', value: 'image' }, image1: { type: 'str', value: '${MAP}' } },
  },
  { ...node, id: 'write', type: 'algo-settings', y: 640, operation: 'put', form: {} },
  { ...node, id: 'list', type: 'algo-files', y: 220, operation: 'get', form: {} },
];

describe('what a dialog offers to choose', () => {
  let editor: Editor;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });
  afterEach(async () => {
    await editor.done('#node-dialog-cancel');
  });

  const offers = () => editor.page.locator('.algo-offers');
  const box = (label: string) => editor.row(label).locator('.red-ui-typedInput-input');
  const open = (label: string) =>
    editor.page
      .getByRole('button', { name: `${label} ${wording('device:pick.button')}`, exact: true })
      .press('Enter');
  const asked = () => shared.nodeRed.log().match(/GET \/api\/info\/tonelist .*/g)?.length ?? 0;

  it('tones, asked for whenever the field is opened; a typed text stays', async () => {
    await editor.edit('tone');
    assert.equal(asked(), 0);
    await open('Tone');
    const items = offers().locator('li');
    await items.filter({ hasText: 'chime.wav' }).waitFor();
    assert.equal(await items.count(), 13);
    assert.equal(await box('Tone').inputValue(), '${TONE}');
    await shared.nodeRed.waitForOutput(/GET \/api\/info\/tonelist/);
    const form = editor.page.locator('form:has(#node-input-name)');
    assert.deepEqual(namelessIn(await snapshotOf(form)), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await offers().getByRole('searchbox', { name: 'Search' }).press('Escape');
    await offers().waitFor({ state: 'detached' });
    assert.equal(await box('Tone').inputValue(), '${TONE}');
    await open('Tone');
    await items.filter({ hasText: 'chime.wav' }).waitFor();
    await shared.nodeRed.waitForOutput(/(?:GET \/api\/info\/tonelist[\s\S]*){2}/);
    await offers()
      .getByRole('button', { name: wording('device:pick.refresh') })
      .click();
    await shared.nodeRed.waitForOutput(/(?:GET \/api\/info\/tonelist[\s\S]*){3}/);
    await offers().getByRole('searchbox').fill('gong');
    await offers().getByRole('button', { name: 'gong.wav' }).press('Enter');
    assert.equal(await box('Tone').inputValue(), 'gong.wav');
    await offers().waitFor({ state: 'detached' });
  });

  it('the tones of every device where this one is away, and says why', async () => {
    await editor.edit('tone');
    await editor.page.locator('#node-input-device').selectOption('away');
    await open('Tone');
    await offers().locator('li', { hasText: 'chime.wav' }).waitFor();
    assert.equal(await offers().locator('li').count(), 13);
    const hint = await textOf(offers().locator('.algo-hint'));
    assert.match(hint, wordingIn('device:test.code.UNREACHABLE'));
    assert.match(hint, wordingIn('reasons:refusesConnections'));
    const code = 'UNREACHABLE';
    const link = offers().getByRole('link', {
      name: wording('device:test.errorHelp', { code }),
      exact: true,
    });
    assert.equal(await link.getAttribute('href'), errorHelpOf(code));
    await editor.page.locator('#node-input-target').selectOption('msg');
    await open('Tone');
    await open('Tone');
    await offers().getByText(wording('device:pick.noDevice')).waitFor();
  });

  it('colors, as they look', async () => {
    await editor.edit('text');
    await editor.add('Text color');
    await open(wording('screen:field.textColor.label'));
    await offers().getByRole('searchbox').fill('navy');
    const swatch = offers().locator('.algo-swatch').first();
    await swatch.waitFor();
    const painted = "getComputedStyle(document.querySelector('.algo-swatch')).backgroundColor";
    assert.equal(await editor.page.evaluate(painted), 'rgb(0, 0, 128)');
    await offers().getByRole('button', { name: 'navy' }).click();
    assert.equal(await box(wording('screen:field.textColor.label')).inputValue(), 'navy');
  });

  it('files of the folder that is typed, first those of the tones', async () => {
    await editor.edit('list');
    await open('Path');
    await shared.nodeRed.waitForOutput(/GET \/api\/files\/tones/);
    await box('Path').fill('images/');
    await open('Path');
    await open('Path');
    await shared.nodeRed.waitForOutput(/GET \/api\/files\/images/);
  });

  it('no files of a folder that the device does not have, and says so', async () => {
    await editor.edit('list');
    await box('Path').fill('attic/');
    await open('Path');
    await offers()
      .getByText(
        `${wording('device:pick.noFolder', { device: 'Bells', folder: 'attic' })} ${wording('device:pick.nothing')}`,
      )
      .waitFor();
  });

  it('of a group what the first of its devices has that is there, and says whose that is', async () => {
    await editor.edit('tone');
    await editor.page.locator('#node-input-target').selectOption('group');
    await editor.page.locator('#node-input-group').selectOption('hall');
    await open('Tone');
    await offers()
      .getByText(wording('device:pick.of', { device: 'Bells' }))
      .waitFor();
    assert.equal(await offers().locator('li').count(), 13);
    await open('Tone');
    await editor.page.locator('#node-input-target').selectOption('several');
    await open('Tone');
    await offers().getByText(wording('device:pick.noDevice')).waitFor();
    await open('Tone');
    await editor.page.locator('label.algo-choice', { hasText: 'Bells' }).locator('input').check();
    await open('Tone');
    await offers()
      .getByText(wording('device:pick.of', { device: 'Bells' }))
      .waitFor();
  });

  it('settings that are known by name, and those that the device has answered for', async () => {
    await editor.edit('setting');
    await open('Setting');
    const items = offers().locator('li');
    await items.filter({ hasText: 'audio.page.vol' }).waitFor();
    assert.equal(await items.filter({ hasText: 'sip.proxy' }).count(), 0);
    await box('Setting').fill('sip.proxy');
    await editor.page.getByRole('button', { name: wording('shared:form.try'), exact: true }).press('Enter');
    await editor.page.getByRole('button', { name: wording('device:try.send'), exact: true }).press('Enter');
    await editor.page
      .locator('#algo-tried')
      .getByText(/accepted after/)
      .waitFor();
    await open('Setting');
    await open('Setting');
    await items.filter({ hasText: 'sip.proxy' }).waitFor();
    assert.equal(await box('Setting').inputValue(), 'sip.proxy');
    await offers().getByRole('button', { name: 'audio.page.vol' }).press('Enter');
    assert.equal(await box('Setting').inputValue(), 'audio.page.vol');
  });

  it('images of the device, for what a screen shows', async () => {
    const text = (value: string) => ({ type: 'str', value });
    const form = { path: text('images/map.png'), content: text('no picture') };
    const stored = await fetch(`${shared.nodeRed.url}algo/devices/lobby/try`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ resource: 'files', operation: 'put', form }),
    });
    assert.equal(stored.status, 200);
    await editor.edit('picture');
    await open('Image');
    await offers().locator('li', { hasText: 'map.png' }).waitFor();
    assert.equal(await box('Image').inputValue(), '${MAP}');
    await offers().getByRole('button', { name: 'map.png' }).press('Enter');
    assert.equal(await box('Image').inputValue(), 'map.png');
  });

  it('the names of settings that are written', async () => {
    await editor.edit('write');
    const name = editor.page.getByRole('textbox', { name: wording('settings:others.name'), exact: true });
    await name.fill('${NAME}');
    await editor.page
      .getByRole('button', {
        name: `${wording('settings:others.name')} ${wording('device:pick.button')}`,
        exact: true,
      })
      .press('Enter');
    await offers().getByRole('searchbox').fill('page.vol');
    assert.equal(await name.inputValue(), '${NAME}');
    const form = editor.page.locator('form:has(#node-input-name)');
    assert.deepEqual(namelessIn(await snapshotOf(form)), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await offers().getByRole('button', { name: 'audio.page.vol' }).press('Enter');
    assert.equal(await name.inputValue(), 'audio.page.vol');
    await editor.page
      .getByRole('textbox', { name: wording('settings:others.value', { name: 'audio.page.vol' }) })
      .fill('-9dB');
    await editor.done();
    const { form: stored } = await editor.stored('write');
    assert.deepEqual(stored, { 'audio.page.vol': { type: 'str', value: '-9dB' } });
    await editor.edit('write');
  });

  it('folders that are known by name, the announcements by number, and the buttons that other nodes press', async () => {
    await editor.edit('folder');
    await open('Folder');
    await offers().locator('li', { hasText: 'images' }).waitFor();
    await offers().getByRole('button', { name: 'tones' }).press('Enter');
    assert.equal(await box('Folder').inputValue(), 'tones');
    await editor.done('#node-dialog-cancel');
    await editor.edit('alarm');
    await open('Announcement');
    await offers().getByRole('button', { name: '10' }).press('Enter');
    assert.equal(await box('Announcement').inputValue(), '10');
    await editor.done();
    assert.deepEqual((await editor.stored('alarm')).form, { announcement: { type: 'num', value: '10' } });
    await editor.edit('press');
    await open('Button');
    await offers().getByRole('button', { name: 'lockdown' }).press('Enter');
    assert.equal(await box('Button').inputValue(), 'lockdown');
  });
});
