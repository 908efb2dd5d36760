import assert from 'node:assert/strict';
import { type Editor, textOf } from './editor';
import { editorSessionIn } from './session';

const node = {
  z: 'tab',
  x: 300,
  target: 'device',
  parametersType: 'form',
  operation: 'munlock',
  wires: [[]],
};
const form = { doorid: { type: 'str', value: 'local' }, duration: { type: 'num', value: '5' } };
const device = { type: 'algo-device', auth: 'none', certificate: 'verify', timeout: 10 };

/** What each of them comes to: a door that opens, one that nobody answers for, one with a wrong field. */
const doors = [
  { ...node, id: 'opens', type: 'algo-door', device: 'hall', form, y: 60 },
  { ...node, id: 'lost', type: 'algo-door', device: 'away', form, y: 120 },
  {
    ...{ ...node, id: 'wrong', type: 'algo-door', device: 'hall', y: 180 },
    form: { ...form, duration: { type: 'msg', value: 'payload' } },
  },
];

const flow = [
  { id: 'tab', type: 'tab', label: 'Statuses' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8063', firmware: '5.7', auth: 'none', port: 0 },
  { ...device, id: 'hall', name: 'Hall', virtual: 'virtual' },
  { ...device, id: 'away', name: 'Away', address: 'http://127.0.0.1:1' },
  ...doors,
  ...doors.map(({ id, y }) => ({
    ...{ id: `send ${id}`, type: 'inject', z: 'tab', x: 100, y, wires: [[id]] },
    props: [{ p: 'payload' }],
    ...{ payload: 'soon', payloadType: 'str' },
  })),
  // Never speaks of itself; Node-RED's own nodes say what they say.
  { id: 'core', type: 'status', z: 'tab', name: '', scope: ['opens'], x: 300, y: 240, wires: [['seen']] },
  { id: 'seen', type: 'function', z: 'tab', x: 450, y: 240, wires: [[]], func: 'node.status(msg.status);' },
];

const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { opens: 'angenommen', lost: 'nicht erreichbar', wrong: 'duration prüfen' },
  es: { opens: 'aceptado', lost: 'inaccesible', wrong: 'revise duration' },
  fr: { opens: 'accepté', lost: 'injoignable', wrong: 'revoir duration' },
};

for (const [language, words] of Object.entries(expected)) {
  describe(`what stands under nodes in an editor set to ${language}`, () => {
    let editor: Editor;
    editorSessionIn(language, flow, (opened) => {
      editor = opened;
    });

    it('is in that language with its time, at once and when the editor is opened later', async () => {
      for (const [id, statusText] of Object.entries(words)) {
        await editor.press(editor.node(`send ${id}`).locator('.red-ui-flow-node-button'));
        assert.match(
          await textOf(await editor.status(id, statusText)),
          new RegExp(`^${statusText} \\d\\d:\\d\\d:\\d\\d$`),
        );
      }
      await editor.reload();
      for (const [id, statusText] of Object.entries(words)) await editor.status(id, statusText);
    });

    it('stays English for flows, and under nodes of others', async () => {
      await editor.status('seen', /^accepted \d\d:/);
    });
  });
}
