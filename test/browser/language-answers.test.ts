import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { wording, wordingIn } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { englishIn } from './english';
import { editorSessionIn } from './session';

const str = (value: string) => ({ type: 'str', value });
const json = (value: unknown) => ({ type: 'json', value: JSON.stringify(value) });
const node = { z: 'tab', x: 200, target: 'device', parametersType: 'form', wires: [[]] };
const device = { type: 'algo-device', auth: 'standard', certificate: 'verify', timeout: 10 };
const bell = { name: 'Pause', time: '08:00', days: 'daily', audio: 'gibtesnicht.wav' };

const flow = [
  { id: 'tab', type: 'tab', label: 'Deutsch' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8301', firmware: '5.7', auth: 'none', port: 0 },
  { id: 'light', type: 'algo-virtual-device', model: '8128', firmware: '5.7', auth: 'none', port: 0 },
  { ...device, id: 'hall', name: 'Halle', virtual: 'virtual', auth: 'none' },
  { ...device, id: 'lamp', name: 'Lampe', virtual: 'light', auth: 'none' },
  { ...device, id: 'away', name: 'Weg', address: 'http://127.0.0.1:1', auth: 'none' },
  { ...device, id: 'new', name: 'Neu', address: '192.0.2.1' },
  {
    ...{ ...node, id: 'lost', type: 'algo-tone', device: 'away', operation: 'start', y: 60 },
    form: { path: str('chime.wav'), loop: { type: 'bool', value: 'false' } },
  },
  {
    ...{ ...node, id: 'unsupported', type: 'algo-door', device: 'hall', operation: 'munlock', y: 120 },
    form: { doorid: str('local'), duration: { type: 'num', value: '5' } },
  },
  {
    ...{ ...node, id: 'akin', type: 'algo-strobe', device: 'lamp', operation: 'start', y: 180 },
    form: { pattern: str('Sparkle'), color1: str('red'), ledlvl: str('high') },
  },
  {
    ...{ ...node, id: 'plan', type: 'algo-scheduler', device: 'hall', operation: 'sync', y: 240 },
    form: { tag: str('schule'), bells: json([bell, { ...bell, name: 'Stunde', from: '2020-01-01' }]) },
  },
  {
    ...{ ...node, id: 'never', type: 'algo-scheduler', device: 'hall', operation: 'sync', y: 300 },
    form: {
      tag: str('schule'),
      bells: json([{ ...bell, days: 'once', from: '2030-05-08', except: ['2030-05-08'] }]),
    },
  },
];

const refused = wording('reasons:refusesConnections', { port: 1 }, 'de');
/** A bell of the plan, as a warning begins with it. */
const title = (name: string, index: number) =>
  wording('phrases:namedBell', { name, place: `bells[${index}]` }, 'de');

describe('what Node-RED answers to an editor set to German', () => {
  let editor: Editor;
  editorSessionIn('de', flow, (opened) => {
    editor = opened;
  });
  let real: VirtualDevice;
  let address: string;

  before(async () => {
    real = new VirtualDevice({ model: '8301', password: 'geheim' });
    address = await real.start();
  });
  after(() => real?.stop());

  const press = (name: string) => editor.page.getByRole('button', { name, exact: true }).press('Enter');
  const german = async (place: string) => {
    const text = await textOf(editor.page.locator(place));
    assert.deepEqual(englishIn(text), [], text);
    return text;
  };

  const test = async (values: Readonly<Record<string, string>>, words: RegExp) => {
    await editor.editConfig('algo-device', 'new');
    for (const [name, value] of Object.entries(values)) {
      await editor.page.locator(`#node-config-input-${name}`).fill(value);
    }
    await press('Test');
    await editor.page.locator('#algo-device-found li', { hasText: words }).first().waitFor();
    const text = await german('#algo-device-found');
    await editor.page.locator('#node-config-dialog-cancel').click();
    await editor.page.locator('.red-ui-tray').waitFor({ state: 'detached' });
    return text;
  };

  it('tells a wrong password in German', async () => {
    await test({ address, password: 'falsch' }, wordingIn('device:test.loginButClock', {}, 'de'));
  });

  it('tells a wrong clock in German', async () => {
    await real.carryOut('clock', { ahead: -7200 });
    await test({ address, password: 'geheim' }, wordingIn('device:test.clockBehind', {}, 'de'));
    await real.carryOut('clock', { ahead: 0 });
  });

  it('tells in German why a test came to nothing, with the name of the device and its address', async () => {
    const text = await test(
      { address: 'http://127.0.0.1:1', password: 'x' },
      wordingIn('device:test.code.UNREACHABLE', {}, 'de'),
    );
    assert.ok(text.includes(`${refused}: info/about bei "Neu" (http://127.0.0.1:1)`), text);
  });

  it('tells in German what is wrong with an address', async () => {
    const text = await test(
      { address: 'ftp://10.0.0.1', password: 'x' },
      wordingIn('device:test.code.NOT_CONFIGURED', {}, 'de'),
    );
    assert.match(text, /"Neu"/);
    assert.match(text, wordingIn('reasons:addressScheme', { scheme: 'ftp' }, 'de'));
  });

  const tryOut = async (id: string) => {
    await editor.edit(id);
    await press('Ausprobieren');
    await press('Jetzt senden');
    await editor.page
      .locator('#algo-tried li', { hasText: / nach \d+ ms/ })
      .first()
      .waitFor();
    const text = await german('#algo-tried');
    await editor.done('#node-dialog-cancel');
    return text;
  };

  it('shows the receipt of a device that is not there in German', async () => {
    const text = await tryOut('lost');
    assert.match(text, /Weg: fehlgeschlagen/);
    assert.ok(text.includes(`${refused}: tone/start bei "Weg" (http://127.0.0.1:1)`), text);
  });

  it('says in German what a model lacks, and calls it as the dialog does', async () => {
    const text = await tryOut('unsupported');
    assert.match(text, /Halle: übersprungen/);
    assert.match(
      text,
      /nicht unterstützt vom Modell 8301: door\/munlock bei "Halle"; "Kurzzeitig entriegeln": unterstützt von: /,
    );
    assert.match(text, /nichts wurde gesendet Hilfe: NOT_SUPPORTED$/);
  });

  it('says in German what an accepted receipt has to note', async () => {
    const text = await tryOut('akin');
    assert.match(text, /Lampe: angenommen/);
    assert.match(text, /das Modell 8128 hat kein Muster Sparkle; stattdessen wurde slow gesendet/);
  });

  it('shows the plan of bells with its warnings in German', async () => {
    await editor.edit('plan');
    await editor.page.getByRole('button', { name: 'Änderungen zeigen' }).click();
    await editor.page.locator('.algo-plan', { hasText: 'Warnungen: 3' }).waitFor();
    const text = await german('.algo-plan');
    const missing = { place: title('Pause', 0), audio: 'gibtesnicht.wav' };
    assert.ok(text.includes(wording('reasons:audioMissing', missing, 'de')), text);
    const clash = { place: title('Stunde', 1), other: title('Pause', 0), time: '08:00' };
    assert.match(text, wordingIn('reasons:sameMinute', clash, 'de'));
    await editor.done('#node-dialog-cancel');
  });

  it('shows in German why there is no plan', async () => {
    await editor.edit('never');
    await editor.page.getByRole('button', { name: 'Änderungen zeigen' }).click();
    // The table of bells says it as well, and at once.
    await editor.page.locator('.algo-plan', { hasText: 'ertönt nie' }).waitFor();
    assert.match(await german('.algo-plan'), /bells\[0\] ertönt nie: .*; nichts wurde gesendet/);
    await editor.done('#node-dialog-cancel');
  });

  it('shows the last error in the sidebar in German', async () => {
    await editor.page.evaluate('RED.sidebar.show("algo")');
    await editor.page.locator('.algo-sidebar tr[data-id="away"]').click();
    const details = editor.page.locator('.algo-sidebar .algo-details');
    await details.getByText(refused).waitFor();
    await german('.algo-sidebar .algo-details dl');
  });
});
