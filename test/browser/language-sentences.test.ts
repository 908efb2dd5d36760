import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { languages } from './languages';
import { leftoversIn } from './leftovers';
import { text } from './ruled-flow';
import { editorSessionIn } from './session';

const json = (value: unknown) => ({ type: 'json', value: JSON.stringify(value) });
const node = { z: 'tab', x: 400, target: 'device', device: 'hall', parametersType: 'form', wires: [[]] };
const device = { type: 'algo-device', certificate: 'verify', timeout: 10, auth: 'none' };
const bell = { name: 'A', time: '08:00', days: 'mon-fri', audio: 'bell-na.wav' };

/**
 * Mistakes in a message: a tone node that takes its parameters from elsewhere, or its operation. Each mistake has
 * words of its own, since the same words twice in a second are no change.
 */
const mistakes: Readonly<Record<string, object>> = {
  list: { operation: 'start', parametersType: 'msg', parameters: 'payload' },
  nowhere: { operation: 'start', parametersType: 'flow', parameters: '' },
  strange: { operation: 'start', parametersType: 'xml', parameters: 'payload' },
  absent: { operation: 'start', form: { path: { type: 'msg', value: 'payload.path' } } },
  broken: { operation: 'start', form: { path: { type: 'jsonata', value: '$sum("a")' } } },
  foreign: { operation: 'msg' },
  unknown: { operation: 'msg', parametersType: 'msg', parameters: 'payload' },
};

/** A bell, and an entry that is none. */
const calendar = [
  ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:Y', 'DTSTART:20300907T090000', 'END:VEVENT'],
  ...['BEGIN:VEVENT', 'SUMMARY:X', 'DTSTART:20300907T080000', 'RRULE:FREQ=HOURLY'],
  ...['END:VEVENT', 'END:VCALENDAR'],
].join('\r\n');

const form = { doorid: { type: 'str', value: 'local' }, duration: { type: 'num', value: '5' } };
const door = { ...node, type: 'algo-door', operation: 'munlock' };

/** A door that opens, one whose device cannot be reached, and one with a wrong field. */
const doors = [
  { ...door, id: 'opens', device: 'entrance', form, y: 460 },
  { ...door, id: 'lost', device: 'away', form, y: 520 },
  {
    ...{ ...door, id: 'wrong', device: 'entrance', y: 580 },
    form: { ...form, duration: { type: 'msg', value: 'payload' } },
  },
];

/** A reason under a node is in the language of Node-RED, which is English here. */
const lost = 'connection refused on port 1';
const statuses: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { opens: 'angenommen', lost },
  es: { opens: 'aceptado', lost },
  fr: { opens: 'accepté', lost },
};

const flow = [
  { id: 'tab', type: 'tab', label: '1' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8301', firmware: '5.7', auth: 'none', port: 0 },
  { ...device, id: 'hall', name: 'Hall', virtual: 'virtual' },
  {
    ...{ ...node, id: 'plan', type: 'algo-scheduler', operation: 'sync', y: 40 },
    form: { tag: text('x'), bells: json([{ ...bell, days: 'daily' }]) },
  },
  {
    ...{ ...node, id: 'spans', type: 'algo-scheduler', operation: 'skip', y: 80 },
    form: { dates: json([{ start: '2030-01-01' }, ['2030-01-02'], { start: {}, end: '2030-01-01' }]) },
  },
  {
    ...{ ...node, id: 'file', type: 'algo-scheduler', operation: 'import', y: 100 },
    form: {
      ics: json(calendar),
      as: text('bells'),
      tag: text('y'),
      audio: text('bell-na.wav'),
      from: text('2030-09-01'),
    },
  },
  {
    ...{ id: 'virtual door', type: 'algo-virtual-device', model: '8063', firmware: '5.7' },
    ...{ auth: 'none', port: 0 },
  },
  { ...device, id: 'entrance', name: 'Entrance', virtual: 'virtual door' },
  { ...device, id: 'away', name: 'Away', address: 'http://127.0.0.1:1' },
  ...doors,
  ...doors.map(({ id, y }) => ({
    ...{ id: `send ${id}`, type: 'inject', z: 'tab', x: 100, y, wires: [[id]] },
    props: [{ p: 'payload' }],
    ...{ payload: 'soon', payloadType: 'str' },
  })),
  // Never speaks of itself; Node-RED's own nodes say what they say.
  { id: 'core', type: 'status', z: 'tab', name: '', scope: ['opens'], x: 300, y: 640, wires: [['seen']] },
  { id: 'seen', type: 'function', z: 'tab', x: 450, y: 640, wires: [[]], func: 'node.status(msg.status);' },
  ...Object.entries(mistakes).flatMap(([id, more], index) => [
    {
      ...{ id: `send ${id}`, type: 'inject', z: 'tab', x: 100, y: 120 + 40 * index, wires: [[id]] },
      props: [
        { p: 'payload', v: '[1]', vt: 'json' },
        ...(id === 'unknown'
          ? [{ p: 'operation', v: '7', vt: 'num' }]
          : [{ p: 'operation', v: 'start', vt: 'str' }]),
      ],
    },
    { ...node, id, type: 'algo-tone', name: id, y: 120 + 40 * index, ...more },
  ]),
];

/** The buttons that show a plan, and that try what a dialog says. */
const buttons: Readonly<Record<string, readonly [string, string, string]>> = {
  de: ['Änderungen zeigen', 'Ausprobieren', 'Jetzt senden'],
  es: ['Mostrar los cambios', 'Probar ahora', 'Enviarlo ahora'],
  fr: ['Montrer les changements', 'Essayer', 'Envoyer maintenant'],
};

for (const language of languages) {
  describe(`what Node-RED says to an editor set to ${language}`, () => {
    const [show = '', tryIt = '', send = ''] = buttons[language] ?? [];
    let editor: Editor;
    editorSessionIn(language, flow, (opened) => {
      editor = opened;
    });

    it('is no English where a plan has days that may stay silent', async () => {
      const asked = { operation: 'sync', parameters: { tag: 'x', bells: [bell] } };
      await editor.page.evaluate(`$.ajax({
        url: 'algo/bells/hall/change', method: 'POST', contentType: 'application/json',
        data: ${JSON.stringify(JSON.stringify(asked))},
      })`);
      await editor.edit('plan');
      await editor.page.getByRole('button', { name: show }).click();
      const plan = editor.page.locator('.algo-plan');
      await plan.getByText(wordingIn('reasons:mayStaySilent', {}, language)).waitFor();
      assert.deepEqual(leftoversIn(language, [await textOf(plan)]), []);
      await editor.done('#node-dialog-cancel');
    });

    it('is no English where days cannot be read', async () => {
      await editor.edit('spans');
      await editor.page.getByRole('button', { name: tryIt, exact: true }).press('Enter');
      await editor.page.getByRole('button', { name: send, exact: true }).press('Enter');
      const tried = editor.page.locator('#algo-tried');
      await tried.getByText('dates[1]').first().waitFor();
      assert.deepEqual(leftoversIn(language, [await textOf(tried)]), []);
      await editor.done('#node-dialog-cancel');
    });

    it('is no English where an entry of a calendar was not imported', async () => {
      await editor.edit('file');
      await editor.page.getByRole('button', { name: tryIt, exact: true }).press('Enter');
      await editor.page.getByRole('button', { name: send, exact: true }).press('Enter');
      await editor.page
        .locator('#algo-tried')
        .getByText(`"reason": "${wording('reasons:withinDay', {}, language)}"`)
        .waitFor();
      await editor.done('#node-dialog-cancel');
    });

    it('is no English where a message was wrong, in the sidebar', async () => {
      await editor.page.evaluate('RED.sidebar.show("algo")');
      await editor.page.locator('.algo-sidebar tr[data-id="hall"]').click();
      const details = editor.page.locator('.algo-sidebar .algo-details dl');
      const seen = new Set<string>();
      for (const id of Object.keys(mistakes)) {
        const before = await textOf(details);
        await editor.page.evaluate(`$.post('inject/send ${id}')`);
        await editor.page.waitForFunction(
          `document.querySelector('.algo-sidebar .algo-details dl').textContent.trim() !== ${JSON.stringify(before)}`,
        );
        seen.add(await textOf(details));
      }
      assert.equal(seen.size, Object.keys(mistakes).length);
      assert.deepEqual(leftoversIn(language, [...seen]), []);
    });

    it('is in that language under nodes, with its time, when it comes and when the editor is opened later', async () => {
      const words = Object.entries(statuses[language] ?? {});
      for (const [id, statusText] of words) {
        await editor.press(editor.node(`send ${id}`).locator('.red-ui-flow-node-button'));
        assert.match(
          await textOf(await editor.status(id, statusText)),
          new RegExp(`^${statusText} \\d\\d:\\d\\d:\\d\\d$`),
        );
      }
      await editor.reload();
      for (const [id, statusText] of words) await editor.status(id, statusText);
    });

    it('stays English for flows, and under nodes of others', async () => {
      await editor.status('seen', /^accepted \d\d:/);
    });
  });
}
