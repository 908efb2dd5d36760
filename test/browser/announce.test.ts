import assert from 'node:assert/strict';
import type { FlowNode } from '../fixtures/node-red';
import { wording } from '../fixtures/wording';
import { bringAxe, complaintsOf } from './axe';
import { type Editor, textOf } from './editor';
import { cutIn } from './every-width';
import { editorSession } from './session';
import { hostile, SidebarPage } from './sidebar';

const panel = (id: string, model: string): FlowNode => ({
  ...{
    id,
    type: 'algo-virtual-device',
    name: `Panel ${model}`,
    model,
    firmware: '5.7',
    auth: 'none',
    port: '0',
  },
});
const device = (id: string, name: string, virtual: string, model: string): FlowNode => ({
  ...{ id, type: 'algo-device', name, virtual, model, firmware: '5.7', auth: 'none', timeout: 5 },
});
const press = (id: string, message: object = {}): FlowNode => ({
  ...{ id, type: 'inject', z: 'tab', name: '', repeat: '', once: false, x: 100, y: 400 },
  props: Object.entries(message).map(([p, v]) => ({ p, v, vt: 'str' })),
  wires: [['tea']],
});

const name = `Tea ${hostile}`;
const flow: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Announcements' },
  ...[panel('first', '8301'), panel('second', '8410'), panel('third', '8138')],
  device('speaker', 'Workshop', 'first', '8301'),
  device('display', 'Hall', 'second', '8410'),
  device('strobe', `Strobe ${hostile}`, 'third', '8138'),
  { id: 'all', type: 'algo-group', name: 'Whole building', devices: ['speaker', 'display', 'strobe'] },
  {
    ...{
      id: 'tea',
      type: 'algo-announce',
      name,
      z: 'tab',
      x: 300,
      y: 400,
      target: 'device',
      device: 'speaker',
    },
    // Plays as long as the test looks: the second time comes after ten minutes.
    ...{ audio: 'chime.wav', audioType: 'str', repeat: '2', interval: '600', wires: [[], []] },
  },
  ...[press('announce'), press('stop', { operation: 'stop' })],
];

/** Parts that Node-RED makes within the form of a dialog, and that we cannot name. */
const widgetsOfCore = /\.red-ui-(?:trap-|typedInput-option-expand)/;

describe('an announcement, as a person sets it up', () => {
  let editor: Editor;
  let id: string;
  const shared = editorSession(flow, (opened) => {
    editor = opened;
  });
  const input = (property: string) => editor.page.locator(`#node-input-${property}`);
  const row = (property: string) => editor.page.locator('.form-row', { has: input(property) });
  const effect = () => editor.page.locator('.algo-announce-effect');
  const tried = () => editor.page.locator('#algo-tried');
  const button = (label: string) => editor.page.getByRole('button', { name: label, exact: true });
  const pick = async (property: string, tone: string) => {
    await row(property).locator('.algo-pick').press('Enter');
    await row(property)
      .locator('.algo-offers')
      .getByRole('button', { name: tone, exact: true })
      .press('Enter');
  };
  const complaints = async () =>
    (await complaintsOf(editor.page, '#dialog-form', [], true)).filter(
      ({ shape }) => !widgetsOfCore.test(shape),
    );
  const sentence = (plays: string, count: string) =>
    wording('announce:preview.on', { sentence: plays, count });

  it('comes out of the palette, and its dialog says what a group will play and show', async () => {
    const { page } = editor;
    const entry = editor.palette('algo-announce');
    await entry.scrollIntoViewIfNeeded();
    await entry.hover();
    await page.mouse.down();
    await page.mouse.move(600, 300, { steps: 8 });
    await page.mouse.up();
    id = await page.evaluate(
      'new Promise((resolve) => { const look = () => { const [one] = RED.nodes.filterNodes({ type: "algo-announce" }).filter(({ changed }) => changed); one ? resolve(one.id) : setTimeout(look, 20); }; look(); })',
    );
    await editor.edit(id);
    await input('target').selectOption('group');
    await input('group').selectOption('all');
    await pick('chime', 'gong.wav');
    await row('text').locator('.red-ui-typedInput-input').fill('Bus 12');
    await input('volume').fill('-12dB');
    const plays = wording('announce:preview.chimed', { chime: 'gong.wav', audio: 'msg.payload' });
    await effect()
      .getByText(
        [
          sentence(plays, '2'),
          sentence(wording('announce:preview.shows'), '1'),
          wording('announce:preview.volume', { volume: '-12dB' }),
        ].join(' '),
        { exact: true },
      )
      .waitFor();
    const cells = await page
      .locator('.algo-abilities-grid tr')
      .evaluateAll((rows) =>
        rows.map((one) => [...one.children].map(({ textContent }) => textContent?.trim())),
      );
    const [yes, no] = [wording('alert:ability.yes'), wording('alert:ability.model')];
    assert.deepEqual(
      cells.slice(1).map(([target = '', ...abilities]) => [target.replace(/ 8\d+$/, ''), ...abilities]),
      [
        ['Workshop', yes, no],
        ['Hall', yes, yes],
        [`Strobe ${hostile}`, no, no],
      ],
    );
    await bringAxe(page);
    assert.deepEqual(await complaints(), []);
    assert.deepEqual(await cutIn(page), []);
  });

  it('is tried only after a question, at one device: chime, sample, and the volume as before', async () => {
    await button(wording('shared:form.try')).press('Enter');
    await tried().getByText(wording('device:try.noDevice')).waitFor();
    await input('target').selectOption('device');
    await input('device').selectOption('speaker');
    await button(wording('shared:form.try')).press('Enter');
    const title = wording('announce:operation.play.title');
    await tried()
      .getByText(wording('device:try.sure', { operation: title, device: 'Workshop' }))
      .waitFor();
    const question = await textOf(tried());
    const plays = wording('announce:preview.chimed', { chime: 'gong.wav', audio: 'speech-test.wav' });
    assert.ok(question.includes(wording('announce:try.sounds', { sentence: plays })), question);
    const sample = { tone: 'speech-test.wav', audio: 'msg.payload' };
    assert.ok(question.includes(wording('announce:try.sample', sample)), question);
    assert.doesNotMatch(shared.nodeRed.log(), /tone\/start/);
    assert.deepEqual(await complaints(), []);
    await button(wording('device:try.send')).press('Enter');
    await tried()
      .getByText(/Workshop: .*accepted/)
      .waitFor();
    await shared.nodeRed.waitForOutput(
      /"audio\.page\.vol":"-12dB"[\s\S]*"path":"gong\.wav"[\s\S]*"path":"speech-test\.wav"[\s\S]*"audio\.page\.vol":"-18dB"/,
    );
    await editor.done();
    assert.deepEqual((await editor.stored(id)).problems, []);
  });

  it('is stopped in the dialog after it was tried', async () => {
    await editor.edit(id);
    await editor.page.evaluate(
      "document.querySelectorAll('.red-ui-tray details').forEach((one) => { one.open = true; })",
    );
    await input('repeat').fill('10');
    await input('interval').fill('60');
    await button(wording('shared:form.try')).click();
    await button(wording('device:try.send')).click();
    const stop = button(wording('announce:try.stop'));
    await stop.waitFor();
    assert.deepEqual(await complaints(), []);
    // A change removes the result, but the announcement can still be stopped.
    await input('repeat').fill('9');
    await tried().getByText('Workshop').waitFor({ state: 'detached' });
    await stop.click();
    await stop.waitFor({ state: 'detached' });
    await tried()
      .getByText(/Workshop: .*accepted/)
      .waitFor();
    await shared.nodeRed.waitForOutput(
      /(?:"path":"gong\.wav"[\s\S]*){2}(?:tone\/stop[\s\S]*)?"audio\.page\.vol":"-18dB"/,
    );
    await editor.done('#node-dialog-cancel');
  });

  it('shows in the sidebar what plays and what waits, as text', async () => {
    const sidebar = new SidebarPage(editor);
    await sidebar.open(4);
    await sidebar.widen();
    await sidebar.press('announce');
    const speaker = sidebar.row('speaker');
    await speaker.getByText(wording('sidebar:announcements.playing', { node: name })).waitFor();
    await sidebar.press('announce');
    await speaker.getByText(wording('sidebar:announcements.waiting', { count: '1' })).waitFor();
    await sidebar.look('speaker');
    const listed = wording('sidebar:announcements.listed', { node: name, priority: '5' });
    const facts = (await textOf(sidebar.details)) ?? '';
    for (const text of [
      wording('sidebar:announcements.playing', { node: listed }),
      wording('sidebar:announcements.waitingList', { list: listed }),
    ])
      assert.ok(facts.includes(text), facts);
    await sidebar.press('stop');
    await sidebar.details
      .locator('dt', { hasText: wording('sidebar:fact.announcements') })
      .waitFor({ state: 'hidden' });
    assert.equal(await editor.page.evaluate('window.isHostile'), undefined);
  });
});
