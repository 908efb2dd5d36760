import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { action } from '../fixtures/alert-node';
import { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import { RedProcess } from '../fixtures/red-process';
import { act } from '../fixtures/site';
import { Waiting } from '../fixtures/waiting';

/** The log says what waits for the flows to start. */
const notSent = 'Node-RED does not send';

describe('delivery: endAfter and flows that a user stops', () => {
  let gate: FakeDevice;
  let row: FakeDevice;
  let wall: FakeDevice;
  let red: RedProcess;
  let configs: NodeConfig[];
  let atGate: Waiting;

  beforeEach(async () => {
    atGate = new Waiting(() => red.output);
    gate = new FakeDevice('Gate', '8063', '5.7', () => atGate.look());
    row = new FakeDevice('Row', '8063', '5.7', () => {});
    wall = new FakeDevice('Wall', '8410', '5.7', () => {});
    await Promise.all([gate.open(), row.open(), wall.open()]);
    const alert = (id: string, more: Record<string, unknown>) =>
      ({
        ...{ id, type: 'algo-alert', name: id, operation: '', wires: [['receipts'], []] },
        ...{ target: 'several', targets: [gate.id, wall.id] },
        ...more,
      }) as NodeConfig;
    const toGate = { device: 'gate' };
    configs = [
      gate.config(),
      { id: 'rows', type: 'algo-group', name: 'Rows', auth: 'none', rows: [row.row({ model: '8063' })] },
      { ...act('door/unlock', { ...toGate, endAfter: 50 }), id: 'open' },
      { ...act('relay/enable', { ...toGate, endAfter: 3_600 }), id: 'light' },
      { ...act('relay/24v-enable', { target: 'group', group: 'rows', endAfter: 50 }), id: 'row' },
      wall.config(),
      alert('evacuate', { endAfter: 50, actions: [action('strobe/start'), action('door/unlock')] }),
      alert('evening', { endAfter: 3_600, actions: [action('relay/enable')] }),
      {
        ...{ id: 'clear', type: 'change', operation: '', wires: [['evacuate']] },
        rules: [{ t: 'set', p: 'operation', pt: 'msg', to: 'clear', tot: 'str' }],
      },
      { id: 'stand-in', type: 'algo-virtual-device', name: 'Stand-in', model: '8063', auth: 'none' },
      { id: 'simulated', type: 'algo-device', name: 'Simulated', virtual: 'stand-in' },
      { ...act('door/unlock', { device: 'simulated', endAfter: 50 }), id: 'simulate' },
    ];
    red = await RedProcess.prepare(configs);
    await red.start();
  });

  afterEach(async () => {
    await red.clear();
    await Promise.all([gate.close(), row.close(), wall.close()]);
  });

  it('are ended before the flows stop where that is due within a minute, and the rest is named', async () => {
    await red.sendAndReadOutcomes('open');
    await red.sendAndReadOutcomes('light');
    await red.sendAndReadOutcomes('row');
    await red.setFlows('stop');
    assert.deepEqual(gate.operationNames, ['door/unlock', 'relay/enable', 'door/lock']);
    assert.deepEqual(row.operationNames, ['24v/enable', '24v/disable']);
    const named = red.output.split('\n').filter((line) => line.includes(notSent));
    assert.equal(named.length, 1, red.output);
    assert.match(named[0] ?? '', /: relay\/disable at Gate \(due 2[^)]*\)$/);
    await red.setFlows('start');
    await red.sendAndReadOutcomes('open');
    assert.equal(gate.operationNames.at(-1), 'door/unlock');
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`are ended before Node-RED ends on ${signal}, and the rest is named`, async () => {
      await red.sendAndReadOutcomes('open');
      await red.sendAndReadOutcomes('light');
      await red.sendAndReadOutcomes('evacuate');
      const before = gate.operationNames.length;
      red.signal(signal);
      await red.ended;
      assert.deepEqual(gate.operationNames.slice(before), ['door/lock']);
      assert.match(red.output, new RegExp(`${notSent}: .*relay/disable at Gate \\(due 2`));
    });

  /** Sends a message whose start of the door the device does not answer yet. */
  async function startWithoutAnswer(id: string): Promise<void> {
    gate.behavior = ({ operationName }) => (operationName === 'door/unlock' ? 'hold' : 200);
    void red.ask(id).catch(() => {});
    await atGate.until('the unlock is under way', () => gate.held.length > 0);
  }

  for (const { id, what } of [
    { id: 'open', what: 'a node' },
    { id: 'evacuate', what: 'an alert' },
  ])
    it(`are ended before Node-RED ends where the start of ${what} is under way, after its answer`, async () => {
      await startWithoutAnswer(id);
      red.signal('SIGTERM');
      await red.waitForOutput(/Stopping flows/);
      gate.release('door/unlock');
      assert.deepEqual(gate.operationNames, ['door/unlock']);
      await red.ended;
      assert.deepEqual(gate.operationNames, ['door/unlock', 'door/lock']);
    });

  for (const id of ['open', 'evacuate'])
    it(`are ended before the flows stop where the start of ${id} is never answered`, async () => {
      await red.sendAndReadOutcomes('open');
      await startWithoutAnswer(id);
      await red.setFlows('stop');
      assert.deepEqual(gate.operationNames, ['door/unlock', 'door/unlock', 'door/lock']);
    });

  it('are ended where a further start waits, which is not sent', async () => {
    await red.sendAndReadOutcomes('open');
    await startWithoutAnswer('open');
    void red.ask('open').catch(() => {});
    await Promise.all([red.sendAndReadOutcomes('row'), red.sendAndReadOutcomes('simulate')]);
    const stopped = red.setFlows('stop');
    await red.waitForOutput(/Stopping flows/);
    gate.release('door/unlock');
    await stopped;
    assert.deepEqual(gate.operationNames, ['door/unlock', 'door/unlock', 'door/lock']);
    assert.deepEqual(row.operationNames, ['24v/enable', '24v/disable']);
  });

  it('of an alert are ended where a clear is under way, which is not aborted', async () => {
    await red.sendAndReadOutcomes('evacuate');
    gate.behavior = ({ operationName }) => (operationName === 'door/lock' ? 'hold' : 200);
    void red.ask('clear').catch(() => {});
    await atGate.until('the lock is under way', () => gate.held.length > 0);
    red.signal('SIGTERM');
    await red.waitForOutput(/Stopping flows/);
    gate.release('door/lock');
    await red.ended;
    assert.deepEqual(gate.operationNames, ['door/unlock', 'door/lock']);
    assert.doesNotMatch(red.output, new RegExp(`${notSent}[^\\n]*door/lock`));
  });

  it('are named where the device does not take it', async () => {
    await red.sendAndReadOutcomes('open');
    gate.behavior = () => 503;
    await red.setFlows('stop');
    assert.match(red.output, new RegExp(`${notSent}: door/lock at Gate \\(due 2[^)]*\\)`));
  });

  it('of an alert are ended early where they are doors or relays, and the alert is named', async () => {
    await red.sendAndReadOutcomes('evacuate');
    await red.sendAndReadOutcomes('evening');
    await red.setFlows('stop');
    assert.deepEqual(gate.operationNames, ['door/unlock', 'relay/enable', 'door/lock']);
    assert.deepEqual(wall.operationNames.slice(0, 1), ['strobe/start']);
    assert.ok(!wall.operationNames.includes('strobe/stop'));
    const named = red.output.split('\n').filter((line) => line.includes(notSent));
    assert.equal(named.length, 1, red.output);
    assert.match(named[0] ?? '', /: .*\bevacuate \(due 2[^)]*\), .*\bevening \(due 2[^)]*\)$/);
  });

  it('of an alert are named where the device does not take them', async () => {
    await red.sendAndReadOutcomes('evacuate');
    gate.behavior = () => 503;
    await red.setFlows('stop');
    assert.match(red.output, new RegExp(`${notSent}:[^\\n]* door/lock at Gate \\(evacuate\\)`));
  });

  it('of a simulated device reach it before it closes', async () => {
    await red.sendAndReadOutcomes('simulate');
    await red.setFlows('stop');
    assert.match(red.output, /POST \/api\/controls\/door\/lock [^\n]*-> 200/);
    assert.ok(!red.output.includes(notSent), red.output);
  });

  it('are not ended early by a full deploy, nor by a crash', async () => {
    await red.sendAndReadOutcomes('open');
    await red.deploy(configs, 'full');
    await red.waitForOutput(/Started flows[\s\S]*Started flows/);
    await red.sendAndReadOutcomes('light');
    assert.deepEqual(gate.operationNames, ['door/unlock', 'relay/enable']);
    red.signal('SIGKILL');
    await red.ended;
    assert.deepEqual(gate.operationNames, ['door/unlock', 'relay/enable']);
    assert.match(await readFile(path.join(red.userDir, 'algo', 'journal.jsonl'), 'utf8'), /door\/lock/);
  });
});
