import assert from 'node:assert/strict';
import { wording, wordingIn } from '../fixtures/wording';
import { type Editor, textOf } from './editor';
import { cutIn } from './every-width';
import { editorSession } from './session';
import { device } from './support-flow';

const at = { z: 'tab', x: 200, type: 'algo-door', target: 'device', parametersType: 'form', wires: [[]] };
const door = (doorid: string) => ({ doorid: { type: 'str', value: doorid } });
const flow = [
  { id: 'tab', type: 'tab', label: 'Doors' },
  { ...device, id: 'gate', name: 'Gate', address: '192.0.2.1', model: '8063', firmware: '5.7' },
  { ...device, id: 'porch', name: 'Porch', address: '192.0.2.2', model: '8201', firmware: '5.7' },
  { ...device, id: 'stranger', name: 'Stranger', address: '192.0.2.3', model: '9999', firmware: '5.7' },
  { ...device, id: 'post', name: 'Post', model: '', virtual: 'stand-in', address: '' },
  {
    ...{ id: 'stand-in', type: 'algo-virtual-device', name: 'Stand-in', model: '8063' },
    port: 0,
    auth: 'none',
  },
  { ...at, id: 'fresh', y: 100, operation: 'lock', device: 'porch' },
  { ...at, id: 'old', y: 160, operation: 'lock', device: 'gate', form: door('netdc1') },
];

describe('which door is meant', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });
  before(() => editor.page.evaluate('RED.nodes.node("fresh").changed = true, RED.nodes.dirty(false)'));
  afterEach(() => editor.startOver());

  const row = () => editor.row('Door');
  const shown = () => textOf(row().locator('.red-ui-typedInput-option-label'));
  const choose = (id: string) => editor.page.locator('#node-input-device').selectOption(id);
  const pick = (entry: string) => editor.choose(row().locator('.red-ui-typedInput-option-trigger'), entry);
  const mark = (words: RegExp) => row().locator('.algo-field-unsupported').filter({ hasText: words });

  it('is chosen by itself where the model has one only, as long as nobody has chosen', async () => {
    await editor.edit('fresh');
    await row().waitFor();
    assert.equal(await shown(), 'select…');
    await choose('gate');
    assert.equal(await shown(), 'local');
    await choose('porch');
    assert.equal(await shown(), 'select…');
    await choose('stranger');
    assert.equal(await shown(), 'select…');
    await choose('post');
    assert.equal(await shown(), 'local', 'a virtual 8063 is one');
    assert.deepEqual(await cutIn(editor.page), []);
    await editor.done();
    assert.deepEqual((await editor.stored('fresh')).form, door('local'));
    await editor.page.evaluate('RED.history.pop()');
  });

  it('stays what a person has chosen', async () => {
    await editor.edit('fresh');
    await choose('porch');
    await pick('netdc1');
    await choose('gate');
    assert.equal(await shown(), `netdc1 (${wording('shared:form.notOn', { models: '8063' })})`);
  });

  it('is marked where model and door do not go together, and sent all the same', async () => {
    await editor.edit('old');
    await mark(wordingIn('shared:form.unsupported.asIs', { value: 'netdc1', what: '8063' })).waitFor();
    assert.deepEqual((await editor.stored('old')).form, door('netdc1'), 'nothing is changed');
    await choose('porch');
    await mark(/\S/).waitFor({ state: 'detached' });
    await choose('gate');
    await mark(/netdc1/).waitFor();
    await pick('local');
    await mark(/\S/).waitFor({ state: 'detached' });
  });
});
