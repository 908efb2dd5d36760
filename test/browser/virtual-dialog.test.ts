import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import { contrasts } from './contrast';
import type { Editor } from './editor';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const hand = { type: 'algo-virtual', z: 'tab', x: 200, virtual: 'virtual', wires: [[]] };
const given = '{"kind":"latency","ms":3000,"count":1}';
const flow = [
  { id: 'tab', type: 'tab', label: 'Test', disabled: true },
  { id: 'virtual', type: 'algo-virtual-device', model: '8450', firmware: '5.7', auth: 'none', port: 0 },
  { ...hand, id: 'new', y: 80, name: '', operation: 'msg', parametersType: 'msg', parameters: 'payload' },
  {
    ...hand,
    id: 'fresh',
    y: 320,
    virtual: '',
    operation: 'msg',
    parametersType: 'msg',
    parameters: 'payload',
  },
  {
    ...hand,
    id: 'late',
    y: 160,
    name: 'Late',
    operation: 'fault',
    parametersType: 'json',
    parameters: given,
  },
  {
    ...{ ...hand, id: 'odd', y: 240, name: 'Odd', operation: 'press', parametersType: 'json' },
    parameters: '{ "id": "a", "twice": true }',
  },
];

describe('the dialog of algo-virtual', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  const field = (label: string) => editor.page.getByLabel(label, { exact: true });
  const rows = () => editor.page.locator('.algo-command .form-row:visible label').allTextContents();
  const parametersOf = async (id: string) => {
    const { operation, parametersType, parameters } = await editor.stored(id);
    return [operation, parametersType, parameters];
  };
  const open = async (id: string) => {
    await editor.edit(id);
    await editor.page.waitForFunction('Boolean(window.algoVirtual)');
  };

  it('asks for what a command is given, row by row, and needs no JSON written by hand', async () => {
    await open('new');
    assert.deepEqual(await rows(), []);
    await field('Operation').selectOption('fault');
    assert.deepEqual(await rows(), [
      ...[wording('virtual:field.kind.label'), 'Milliseconds', 'At most', 'Distribution'],
      ...[wording('virtual:field.route.label'), wording('virtual:field.count.label'), 'Chance'],
    ]);
    await field(wording('virtual:field.kind.label')).selectOption('status');
    assert.deepEqual(await rows(), [
      ...[
        wording('virtual:field.kind.label'),
        wording('virtual:field.status.label'),
        wording('virtual:field.route.label'),
        wording('virtual:field.count.label'),
        'Chance',
      ],
    ]);
    await field(wording('virtual:field.status.label')).fill('502');
    await field(wording('virtual:field.route.label')).fill('POST');
    const form = editor.page.locator('form:has(#node-input-operation)');
    assert.deepEqual(namelessIn(await snapshotOf(form)), []);
    assert.deepEqual(await cutIn(editor.page), []);
    const ratios = await contrasts(editor.page, '.algo-command :is(label, .algo-hint, input, select)');
    assert.ok(Math.min(...ratios) >= 4.5, String(ratios));
    await editor.done();
    const fault = '{"kind":"status","status":502,"route":"POST","count":1}';
    assert.deepEqual(await parametersOf('new'), ['fault', 'json', fault]);
    await open('new');
    assert.equal(await field(wording('virtual:field.status.label')).inputValue(), '502');
    await field('Operation').selectOption('msg');
    await editor.done();
    assert.deepEqual(await parametersOf('new'), ['msg', 'msg', 'payload']);
  });

  it('asks for a request to send, and keeps it', async () => {
    await open('new');
    await field('Operation').selectOption('call');
    const labels = ['method', 'target', 'path', 'payload', 'auth'].map((name) =>
      wording(`virtual:field.${name}.label`),
    );
    assert.deepEqual(await rows(), labels);
    const [method = '', target = '', , payload = '', auth = ''] = labels;
    await field(method).selectOption('PUT');
    await field(target).fill('127.0.0.1:1');
    await field(payload).fill('{"n":1}');
    await field(auth).selectOption('none');
    const form = editor.page.locator('form:has(#node-input-operation)');
    assert.deepEqual(namelessIn(await snapshotOf(form)), []);
    assert.deepEqual(await cutIn(editor.page), []);
    await editor.done();
    const call = { method: 'PUT', target: '127.0.0.1:1', path: '/', payload: '{"n":1}', auth: 'none' };
    assert.deepEqual(await parametersOf('new'), ['call', 'json', JSON.stringify(call)]);
    await open('new');
    assert.equal(await field(target).inputValue(), '127.0.0.1:1');
    await field('Operation').selectOption('msg');
    await editor.done();
  });

  it('begins with rows, and says in a sentence that a device is to be chosen', async () => {
    const { page } = editor;
    await page.evaluate(`((node) => {
      for (const [name, { value }] of Object.entries(node._def.defaults)) node[name] = value;
      RED.editor.validateNode(node);
    })(RED.nodes.node('fresh'))`);
    assert.deepEqual((await editor.stored('fresh')).problems, [wording('shared:form.missing.device')]);
    await open('fresh');
    assert.deepEqual((await rows()).slice(0, 2), [wording('virtual:field.kind.label'), 'Milliseconds']);
    await page.locator('#node-input-virtual').selectOption('virtual');
    await editor.done();
    assert.deepEqual((await editor.stored('fresh')).problems, []);
    assert.deepEqual(await parametersOf('fresh'), [
      'fault',
      'json',
      '{"kind":"latency","ms":1000,"count":1}',
    ]);
  });

  it('leaves what is stored as it was, and changes of it only what was changed', async () => {
    await open('late');
    assert.equal(await field('Milliseconds').inputValue(), '3000');
    assert.deepEqual(await cutIn(editor.page), []);
    await editor.done();
    assert.deepEqual(await parametersOf('late'), ['fault', 'json', given]);
    assert.equal((await editor.stored('late')).changed, false);
    await open('late');
    await field('Milliseconds').fill('50');
    await editor.done();
    assert.deepEqual(await parametersOf('late'), ['fault', 'json', given.replace('3000', '50')]);
  });

  it('leaves what rows have no place for to the text', async () => {
    const before = await parametersOf('odd');
    await open('odd');
    assert.deepEqual(await rows(), []);
    await editor.page.locator('.red-ui-typedInput-input-wrap:visible').first().waitFor();
    await editor.done();
    assert.deepEqual(await parametersOf('odd'), before);
  });
});
