import assert from 'node:assert/strict';
import { wording } from '../fixtures/wording';
import type { Editor } from './editor';
import { editorSession } from './session';

const at = { z: 'tab', x: 200, wires: [[]] };
const form = { doorid: { type: 'str', value: 'local' } };
const target = { target: 'device', device: 'gate', group: '', targets: [] };
const delivery = { ttl: '', retryFor: '', endAfter: '' };
const door = {
  ...{ ...at, type: 'algo-door', name: '', operation: 'lock', ...target, ...delivery },
  ...{ parametersType: 'form', parameters: 'payload', form },
};
const alert = {
  ...{ ...at, type: 'algo-alert', name: 'Fire', ...target, priority: '', endAfter: '', retryAlert: 'true' },
  ...{ afterRestart: 'keep', drill: false, wires: [[], []] },
  actions: [{ operation: 'relay/enable', form: {} }],
};
const remote = {
  ...{ ...at, type: 'algo-remote', name: '', broker: 'broker', sites: 'north', devices: '', ttl: '60' },
  ...{ knownSites: '', prefix: 'algo/v2', wires: [[], []] },
};
const job = { parametersType: 'msg', parameters: 'payload' };
const broker = {
  ...{ id: 'broker', type: 'mqtt-broker', name: 'Broker', broker: '127.0.0.1', port: '1883', clientid: '' },
  ...{ autoConnect: false, usetls: false, protocolVersion: '5', keepalive: '60', cleansession: true },
};
const address = { address: '192.0.2.1', auth: 'none', certificate: 'any' };
const flow = [
  { id: 'tab', type: 'tab', label: 'Old names', disabled: true },
  broker,
  { id: 'gate', type: 'algo-device', name: 'Gate', ...address },
  { id: 'old gate', type: 'algo-device', name: 'Old gate', ...address, rehearsal: '${TEST}', queue: 5 },
  { ...door, id: 'door', split: false, y: 100 },
  { ...door, id: 'old door', stream: true, y: 200 },
  { ...alert, id: 'alert', y: 300 },
  { ...alert, id: 'old alert', deeds: [], severity: 7, y: 400 },
  { ...remote, id: 'remote', job: { ...job, operation: 'strobe/stop' }, y: 500 },
  {
    ...remote,
    id: 'old remote',
    job: { ...job, noun: 'strobe', operation: 'stop' },
    expected: 'south',
    y: 600,
  },
];

describe('a property by its old name in the editor', () => {
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  afterEach(() => editor.startOver());

  const renamed = (old: string, now: string) => wording('shared:form.renamed', { old, now });
  const problemsOf = async (id: string) => (await editor.stored(id)).problems as string[];
  /** The property as the editor would deploy it. */
  const deployed = (id: string, property: string) =>
    editor.page.evaluate(`(() => {
      const flow = RED.nodes.createCompleteNodeSet();
      const value = flow.find(({ id }) => id === ${JSON.stringify(id)})[${JSON.stringify(property)}];
      return value === undefined ? 'none' : JSON.parse(JSON.stringify(value));
    })()`);

  it('marks the node, with the new name, and no other node', async () => {
    assert.deepEqual(await problemsOf('old door'), [renamed('stream', 'split')]);
    assert.deepEqual(await problemsOf('door'), []);
    await editor.node('old door').locator('.red-ui-flow-node-error').waitFor();
    assert.equal(await editor.page.evaluate('RED.nodes.node("old door").valid'), false);
  });

  it('marks a configuration node, also where an environment variable is the value', async () => {
    assert.deepEqual(await problemsOf('old gate'), [
      renamed('rehearsal', 'dryRun'),
      renamed('queue', 'queueLimit'),
    ]);
    assert.deepEqual(await problemsOf('gate'), []);
  });

  it('is said in the dialog, kept by Cancel, and removed by Done', async () => {
    await editor.edit('old door');
    const note = editor.page.locator('.red-ui-tray .algo-renamed');
    assert.equal(await note.textContent(), renamed('stream', 'split'));
    await editor.done('#node-dialog-cancel');
    assert.equal(await deployed('old door', 'stream'), true);
    await editor.edit('old door');
    await editor.done();
    assert.equal(await deployed('old door', 'stream'), 'none');
    const { problems, changed } = await editor.stored('old door');
    assert.deepEqual([problems, changed], [[], true]);
  });

  it('is said of an alert and of a remote site too, and removed by Done', async () => {
    const old = {
      alert: [renamed('deeds', 'actions'), renamed('severity', 'priority')],
      remote: [renamed('job.noun', 'job.operation'), renamed('expected', 'knownSites')],
    };
    for (const [type, lines] of Object.entries(old)) {
      const problems = await problemsOf(`old ${type}`);
      for (const line of lines) assert.ok(problems.includes(line), `${type}: ${problems}`);
      assert.deepEqual(await problemsOf(type), []);
      await editor.edit(`old ${type}`);
      const notices = editor.page.locator('.red-ui-tray .algo-renamed > div');
      assert.deepEqual(await notices.allTextContents(), lines);
      await editor.done();
      for (const line of lines) assert.ok(!(await problemsOf(`old ${type}`)).includes(line), line);
    }
    for (const property of ['deeds', 'severity']) {
      assert.equal(await deployed('old alert', property), 'none');
    }
    assert.equal(await deployed('old remote', 'expected'), 'none');
    assert.equal(Object.hasOwn(Object(await deployed('old remote', 'job')), 'noun'), false);
  });

  it('is removed from a configuration node too, and comes back by undo', async () => {
    await editor.editConfig('algo-device', 'old gate');
    await editor.done('#node-config-dialog-ok');
    assert.deepEqual(await problemsOf('old gate'), []);
    assert.equal(await deployed('old gate', 'queue'), 'none');
    await editor.startOver();
    assert.equal(await deployed('old gate', 'queue'), 5);
  });

  it('is nothing in the dialog of a node that has none', async () => {
    await editor.edit('door');
    assert.equal(await editor.page.locator('.algo-renamed').count(), 0);
    await editor.done();
    const { changed } = await editor.stored('door');
    assert.equal(changed, false);
  });

  it('is found in a flow that is pasted', async () => {
    const pasted = { ...door, id: 'pasted', type: 'algo-tone', operation: 'stop', form: {}, stream: false };
    await editor.page.evaluate(`RED.nodes.import(${JSON.stringify(JSON.stringify([pasted]))})`);
    await editor.page.evaluate('RED.editor.validateNode(RED.nodes.node("pasted"))');
    assert.deepEqual(await problemsOf('pasted'), [renamed('stream', 'split')]);
    await editor.page.evaluate('RED.nodes.remove("pasted"), RED.nodes.dirty(false)');
  });
});
